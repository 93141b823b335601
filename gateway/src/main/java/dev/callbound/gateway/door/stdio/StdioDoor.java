package dev.callbound.gateway.door.stdio;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.door.DoorErrors;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * The stdio door: one client, which started this program. Nothing but protocol is written to its
 * output. Both eras of the protocol may be spoken, side by side.
 *
 * <p>The client leaves by closing the input, or by no longer reading the output: then what is in
 * flight is told so, and has the grace to end.
 */
public final class StdioDoor {
  /** The principal of whoever started the program. */
  static final String LOCAL = "local";

  /**
   * What a client may ask for.
   *
   * @param maxRequestBytes the longest line that is taken
   * @param maxCalls how many requests may be in flight at a time
   * @param grace how long requests in flight have to end once the client has gone
   */
  public record Limits(int maxRequestBytes, int maxCalls, Duration grace) {
    public Limits {
      if (maxRequestBytes < 1 || maxCalls < 1 || grace.isNegative()) {
        throw new IllegalArgumentException(
            "limits must be positive: "
                + maxRequestBytes
                + " bytes, "
                + maxCalls
                + " calls, grace "
                + grace);
      }
    }
  }

  /** How long the end of the input is not yet taken for the client's leaving. */
  private static final Duration LAST_ANSWERS = Duration.ofMillis(1_500);

  private final LineReader in;
  private final LineWriter out;
  private final Limits limits;
  private final Exchanges exchanges = new Exchanges();
  private final CountDownLatch over = new CountDownLatch(1);
  private final StdioClient client;

  /** Makes a door over streams that it neither opens nor closes. */
  public StdioDoor(InputStream in, OutputStream out, Bridge bridge, Limits limits) {
    this.in = new LineReader(in, limits.maxRequestBytes());
    this.out = new LineWriter(out);
    this.limits = limits;
    this.client = new StdioClient(bridge, exchanges, limits.maxCalls(), this::say);
  }

  /** Serves the client until it has gone and what it asked for has ended, or the grace has. */
  public void run() throws InterruptedException {
    // A read of the standard input can't be interrupted: a daemon may be left behind in one.
    Thread.ofPlatform().daemon().name("stdio-door").start(this::read);
    try {
      over.await();
      // The input of a script ends before its answers come; a client that died looks the same.
      exchanges.awaitNone(LAST_ANSWERS);
    } finally {
      client.close();
      exchanges.all().forEach(exchange -> exchange.conversation().left());
    }
    exchanges.awaitNone(limits.grace());
  }

  private void read() {
    try {
      while (over.getCount() > 0) {
        switch (in.next()) {
          case LineReader.Line.Whole(byte[] bytes) -> take(bytes);
          case LineReader.Line.TooLong() -> say(tooLong());
          case LineReader.Line.End() -> {
            return;
          }
        }
      }
    } catch (IOException e) {
      System.getLogger("callbound.door")
          .log(System.Logger.Level.WARNING, "door=stdio the input broke: " + e.getMessage());
    } finally {
      over.countDown();
    }
  }

  private void take(byte[] line) {
    if (isBlank(line)) {
      return;
    }
    try {
      client.take(Message.parse(line));
    } catch (MalformedMessageException e) {
      say(DoorErrors.malformed(e));
    }
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  private Message tooLong() {
    return new Message.ErrorResponse(
        Json.NULL,
        RpcError.of(
            RpcError.INVALID_REQUEST,
            "the message is larger than max_request, " + limits.maxRequestBytes() + " bytes"));
  }

  /** Says something to the client; one that does not listen any more has gone. */
  private void say(Message message) {
    try {
      out.write(message);
    } catch (IOException e) {
      over.countDown();
    }
  }
}
