package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.client.WireException.Kind;
import dev.callbound.testkit.wire.ByteLines;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/** MCP over the stdin and stdout of a process that the client starts. Thread-safe. */
final class StdioChannel implements Channel {
  private static final int MAX_LINE_BYTES = 128 * 1024 * 1024;
  private static final int MAX_STDERR_CHARACTERS = 64 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Process process;
  private final Inbox inbox;
  private final Map<JsonNode, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final List<String> noise = new CopyOnWriteArrayList<>();
  private volatile String stderr = "";
  private final ReentrantLock writing = new ReentrantLock();

  /**
   * @param drainStderr whether stderr is read; a client that does not lets its server block
   */
  StdioChannel(ProcessBuilder command, Inbox inbox, boolean drainStderr) {
    this.inbox = inbox;
    try {
      this.process = command.start();
    } catch (IOException e) {
      throw new WireException(Kind.NOT_CONNECTED, String.valueOf(e.getMessage()), e);
    }
    Thread.ofVirtual().start(this::readMessages);
    if (drainStderr) {
      drainStderr();
    }
  }

  Process process() {
    return process;
  }

  /** The lines on stdout that were no messages. */
  List<String> noise() {
    return List.copyOf(noise);
  }

  /** The last of what came on stderr. */
  String stderr() {
    return stderr;
  }

  void drainStderr() {
    Thread.ofVirtual().start(this::readErrors);
  }

  @Override
  public JsonNode exchange(ObjectNode request, HttpHeaders headers, PendingCall call)
      throws InterruptedException {
    JsonNode id = request.path("id");
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    call.onHangUp(
        () -> answer.completeExceptionally(new WireException(Kind.HUNG_UP, "forgotten", null)));
    try {
      send(request);
      if (!process.isAlive()) {
        // The reader may have failed all that waited before this one was among them.
        answer.completeExceptionally(ended());
      }
      return answer.get(call.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new WireException(Kind.TIMED_OUT, "no answer within " + call.timeout(), e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof WireException wire
          ? wire
          : new WireException(Kind.BROKEN, "no answer", e.getCause());
    } finally {
      waiting.remove(id);
    }
  }

  @Override
  public void send(ObjectNode message) {
    writeLine(JsonRpc.bytes(message));
  }

  /** Writes a line as it is. */
  void writeLine(byte[] line) {
    // Held while writing, so that lines stay whole.
    writing.lock();
    try {
      OutputStream out = process.getOutputStream();
      out.write(line);
      out.write('\n');
      out.flush();
    } catch (IOException e) {
      throw new WireException(Kind.BROKEN, "the process reads no more", e);
    } finally {
      writing.unlock();
    }
  }

  /** Ends the process's stdin. */
  void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void disconnect() {
    process.destroyForcibly();
  }

  /** Ends stdin and lets the process leave by itself; ends it if it does not. */
  @Override
  public void close() {
    try {
      if (process.isAlive()) {
        closeInput();
      }
      if (!process.waitFor(PATIENCE)) {
        process.destroyForcibly();
      }
    } catch (UncheckedIOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void readMessages() {
    try (InputStream in = new BufferedInputStream(process.getInputStream())) {
      for (byte[] line = ByteLines.next(in, MAX_LINE_BYTES);
          line != null;
          line = ByteLines.next(in, MAX_LINE_BYTES)) {
        take(line);
      }
      process.waitFor();
    } catch (IOException e) {
      System.getLogger(StdioChannel.class.getName())
          .log(System.Logger.Level.DEBUG, "stdout was cut", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.values().forEach(answer -> answer.completeExceptionally(ended()));
    }
  }

  private void take(byte[] line) {
    JsonNode message;
    try {
      message = JsonRpc.read(line);
    } catch (IOException e) {
      noise.add(new String(line, StandardCharsets.UTF_8));
      return;
    }
    if (!inbox.take(message, answer -> send((ObjectNode) answer))) {
      CompletableFuture<JsonNode> answer = waiting.get(message.path("id"));
      if (answer != null) {
        answer.complete(message);
      }
    }
  }

  private void readErrors() {
    byte[] buffer = new byte[8192];
    StringBuilder tail = new StringBuilder();
    try (InputStream in = process.getErrorStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        tail.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
        if (tail.length() > MAX_STDERR_CHARACTERS) {
          tail.delete(0, tail.length() - MAX_STDERR_CHARACTERS);
        }
        stderr = tail.toString();
      }
    } catch (IOException e) {
      System.getLogger(StdioChannel.class.getName())
          .log(System.Logger.Level.DEBUG, "stderr was cut", e);
    }
  }

  private WireException ended() {
    String how = process.isAlive() ? "closed its stdout" : "ended with " + process.exitValue();
    return new WireException(Kind.BROKEN, "the process " + how, null);
  }
}
