package dev.callbound.benchmarks.duplicates;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.client.WireException;
import java.net.URI;
import java.time.Duration;

/** One client, which makes one write after the other. Belongs to one thread. */
final class Client implements AutoCloseable {
  /** Longer than any call through Callbound takes. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final McpClient client;
  private final Attitude attitude;

  private Client(McpClient client, Attitude attitude) {
    this.client = client;
    this.attitude = attitude;
  }

  /** A client of the server itself, which waits for an answer no longer than the deadline. */
  static Client direct(URI server, Attitude attitude) throws InterruptedException {
    return new Client(to(server, DuplicatesBench.DEADLINE).connect(), attitude);
  }

  /** A client of Callbound, with a run of its own. */
  static Client bounded(URI gateway, String run) throws InterruptedException {
    McpClient client = to(gateway, PATIENCE).meta("dev.callbound/run", "\"" + run + "\"").connect();
    return new Client(client, Attitude.NEVER_RETRIES);
  }

  private static McpClient.Builder to(URI url, Duration timeout) {
    // A revision without a handshake, which could fail too.
    return McpClient.http(url).revision(Revision.V2026_07_28).timeout(timeout);
  }

  /** Makes the write as well as it can, and says what it believes about it. */
  Belief write(Write write) throws InterruptedException {
    try {
      return Belief.of(attitude.call(() -> attempt(write)));
    } catch (WireException _) {
      return Belief.NOT_DONE;
    }
  }

  private JsonNode attempt(Write write) throws InterruptedException {
    PendingCall call = client.begin(McpRequest.call(Write.TOOL, write.arguments()));
    try {
      return call.await();
    } catch (WireException e) {
      call.hangUp();
      throw e;
    }
  }

  /** A call that changes nothing, before anything is measured. */
  void warmUp() throws InterruptedException {
    try {
      client.call("read_ok", "{}");
    } catch (WireException e) {
      if (e.kind() != WireException.Kind.TIMED_OUT) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
