package dev.callbound.gateway.cases;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A place that requests can be led to: remembers each, and knows two ways to treat it. */
final class Listener implements AutoCloseable {
  /** A request that arrived. */
  record Arrived(String method, String path, boolean authorized) {}

  private final HttpServer server;
  private final List<Arrived> arrived = new CopyOnWriteArrayList<>();

  private Listener() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(task -> Thread.ofVirtual().start(task));
    server.start();
  }

  /** Nothing should ever arrive here. */
  static Listener forbidden() throws IOException {
    Listener listener = new Listener();
    listener.server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            listener.remember(exchange);
            exchange.sendResponseHeaders(500, -1);
          }
        });
    return listener;
  }

  /** Redirects {@code /mcp} to {@code /mcp/}, and passes what arrives there on to the target. */
  static Listener slashFrontOf(URI target, int status) throws IOException {
    Listener listener = new Listener();
    HttpClient client = HttpClient.newHttpClient();
    listener.server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            listener.remember(exchange);
            if (exchange.getRequestURI().getPath().equals("/mcp/")) {
              pass(exchange, client, target);
            } else {
              exchange.getResponseHeaders().set("Location", "/mcp/");
              exchange.sendResponseHeaders(status, -1);
            }
          }
        });
    return listener;
  }

  private static void pass(HttpExchange exchange, HttpClient client, URI target)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .method(
                exchange.getRequestMethod(),
                HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name :
        List.of("Accept", "Content-Type", "Mcp-Session-Id", "Mcp-Protocol-Version")) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try {
      HttpResponse<byte[]> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      for (String name : List.of("Content-Type", "Mcp-Session-Id")) {
        response
            .headers()
            .firstValue(name)
            .ifPresent(v -> exchange.getResponseHeaders().set(name, v));
      }
      byte[] body = response.body();
      exchange.sendResponseHeaders(response.statusCode(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void remember(HttpExchange exchange) {
    arrived.add(
        new Arrived(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            exchange.getRequestHeaders().containsKey("Authorization")));
  }

  int port() {
    return server.getAddress().getPort();
  }

  List<Arrived> arrived() {
    return List.copyOf(arrived);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
