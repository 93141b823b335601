package dev.callbound.gateway.door.http;

import dev.callbound.gateway.config.ListenAddress;
import dev.callbound.gateway.config.ListenConfig;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.door.ScriptedBridge;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An open door on a free port, with a scripted bridge behind it. */
final class DoorFixture implements AutoCloseable {
  static final String MODERN_META =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
          + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
  static final String INITIALIZE =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
          + "\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";
  static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

  final ScriptedBridge bridge = new ScriptedBridge();
  final RecordedRuns runs = new RecordedRuns();
  final RecordedCalls calls = new RecordedCalls();
  final RecordedCircuits circuits = new RecordedCircuits();
  final HttpDoor door;
  final int port;

  DoorFixture(ListenConfig config) throws CannotListenException {
    door = new HttpDoor(config, bridge, runs, calls, circuits);
    port = door.start().port();
  }

  static DoorFixture open() throws CannotListenException {
    return new DoorFixture(config(List.of()));
  }

  static DoorFixture withTokens(String... principalsAndTokens) throws CannotListenException {
    List<ListenConfig.Token> tokens = new ArrayList<>();
    for (int i = 0; i < principalsAndTokens.length; i += 2) {
      tokens.add(
          new ListenConfig.Token(principalsAndTokens[i], Secret.of(principalsAndTokens[i + 1])));
    }
    return new DoorFixture(config(tokens));
  }

  static ListenConfig config(List<ListenConfig.Token> tokens) {
    return config(tokens, 12_000, 2_000);
  }

  static ListenConfig config(List<ListenConfig.Token> tokens, int connections, int calls) {
    return new ListenConfig(
        new ListenAddress("127.0.0.1", 0),
        List.of("http://localhost", "http://127.0.0.1"),
        List.of("localhost", "127.0.0.1"),
        4 << 20,
        32 << 10,
        connections,
        calls,
        Duration.ofSeconds(30),
        tokens);
  }

  Wire wire() throws IOException {
    return new Wire(port);
  }

  /** One request on a connection of its own. */
  Wire.Reply ask(String method, String path, String body, String... headers) throws IOException {
    try (Wire wire = wire()) {
      return wire.send(method, path, body, headers).reply();
    }
  }

  Wire.Reply post(String body, String... headers) throws IOException {
    return ask("POST", "/mcp", body, headers);
  }

  /** Begins a session, and returns the header that names it. */
  String session(String... headers) throws IOException {
    Wire.Reply reply = post(INITIALIZE, headers);
    // The client may have its answer a moment before the door has counted the call out.
    long start = System.nanoTime();
    while (door.openCalls() > 0 && System.nanoTime() - start < 5_000_000_000L) {
      Thread.onSpinWait();
    }
    return "Mcp-Session-Id: " + reply.header("Mcp-Session-Id");
  }

  /** A request of 2026-07-28; params without braces, empty for none but {@code _meta}. */
  static String modern(String method, String params) {
    String rest = params.isEmpty() ? "" : "," + params;
    return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\""
        + method
        + "\",\"params\":{"
        + MODERN_META
        + rest
        + "}}";
  }

  static String[] modernHeaders(String method, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.add("MCP-Protocol-Version: 2026-07-28");
    headers.add("Mcp-Method: " + method);
    return headers.toArray(String[]::new);
  }

  @Override
  public void close() {
    door.close();
  }
}
