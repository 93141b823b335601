package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.callbound.testkit.wire.ByteLines;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** MCP over stdin and stdout, for the one client that started this process. */
final class StdioDoor {
  private static final int MAX_LINE_BYTES = 64 * 1024 * 1024;

  private final FaultEngine engine;
  private final StdioOutput out;
  private final IntConsumer exit;
  private final Session session = new Session(null, Protocol.LATEST_WITH_SESSIONS);
  private volatile boolean initialized;

  StdioDoor(FaultEngine engine, StdioOutput out, IntConsumer exit) {
    this.engine = engine;
    this.out = out;
    this.exit = exit;
    engine.listen(this::tell);
  }

  /** Serves on the calling thread until stdin ends. */
  void serve(InputStream in) throws IOException {
    for (byte[] line = next(in); line != null; line = next(in)) {
      if (!new String(line, StandardCharsets.UTF_8).isBlank()) {
        take(line);
      }
    }
    engine.ledger().event("stdin_end", object());
  }

  private void tell(JsonNode message) {
    // A client without a handshake hears only of what it has subscribed to.
    if (initialized) {
      out.line(JsonRpc.bytes(message));
    }
  }

  private static byte @Nullable [] next(InputStream in) throws IOException {
    return ByteLines.next(in, MAX_LINE_BYTES);
  }

  private void take(byte[] line) {
    JsonNode message;
    try {
      message = JsonRpc.read(line);
    } catch (IOException e) {
      refuse(-32700, "Parse error");
      return;
    }
    if (!message.isObject()) {
      refuse(-32600, "batches are not supported");
      return;
    }
    if (!JsonRpc.isRequest(message)) {
      engine.notice(message, session);
      return;
    }
    if (message.path("method").asText().equals("initialize")) {
      String asked = message.path("params").path("protocolVersion").asText();
      initialized = true;
      session.protocol(Protocol.negotiate(asked, engine.options().text("max-version")));
    }
    String protocol = McpEndpoint.protocol(message, session, null);
    Exchange exchange = new StdioExchange(out, session, protocol, message.path("id"), exit);
    // Taken on this thread, so that a cancellation in the next line finds the call.
    FaultEngine.Work work = engine.accept(message, exchange, new HttpHeaders());
    Thread.ofVirtual().start(() -> run(work));
  }

  private static void run(FaultEngine.Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuse(int code, String message) {
    out.line(JsonRpc.bytes(JsonRpc.error(NullNode.instance, code, message, null)));
  }
}
