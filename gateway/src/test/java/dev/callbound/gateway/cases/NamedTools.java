package dev.callbound.gateway.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server whose tools have the names that a case needs; each claims to read, and is counted. */
final class NamedTools implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpServer server;
  private final List<String> names;
  private final List<String> calls = new CopyOnWriteArrayList<>();

  private NamedTools(List<String> names) throws IOException {
    this.names = List.copyOf(names);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/mcp", this::handle);
    server.start();
  }

  static NamedTools named(String... names) throws IOException {
    return new NamedTools(List.of(names));
  }

  /** The entry in the configuration, without its braces. */
  String entry() {
    return "url: \"http://127.0.0.1:" + server.getAddress().getPort() + "/mcp\"";
  }

  /** The tools that were called, in order. */
  List<String> calls() {
    return List.copyOf(calls);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      JsonNode message = MAPPER.readTree(exchange.getRequestBody());
      if (!message.has("id")) {
        exchange.sendResponseHeaders(202, -1);
        return;
      }
      ObjectNode response = MAPPER.createObjectNode().put("jsonrpc", "2.0");
      response.set("id", message.path("id"));
      answer(message, response);
      byte[] body = MAPPER.writeValueAsBytes(response);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private void answer(JsonNode message, ObjectNode response) {
    switch (message.path("method").asText()) {
      case "initialize" -> {
        ObjectNode result = response.putObject("result").put("protocolVersion", "2025-11-25");
        result.putObject("capabilities").putObject("tools");
        result.putObject("serverInfo").put("name", "named-tools").put("version", "1");
      }
      case "tools/list" -> list(response.putObject("result").putArray("tools"));
      case "tools/call" -> {
        calls.add(message.path("params").path("name").asText());
        ArrayNode content = response.putObject("result").putArray("content");
        content.addObject().put("type", "text").put("text", "done");
      }
      default -> response.putObject("error").put("code", -32601).put("message", "no such method");
    }
  }

  private void list(ArrayNode tools) {
    for (String name : names) {
      ObjectNode tool = tools.addObject().put("name", name);
      tool.putObject("inputSchema").put("type", "object");
      tool.putObject("annotations").put("readOnlyHint", true);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
