package dev.callbound.gateway.upstream.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.callbound.gateway.mcp.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** An HTTP server that answers as a test says, and remembers what came. */
final class ScriptedHttp implements AutoCloseable {
  /** One request. */
  record Seen(String httpMethod, Map<String, List<String>> headers, String body) {
    /** The value of a header field; null when it is missing. */
    String header(String name) {
      return headers.entrySet().stream()
          .filter(entry -> entry.getKey().equalsIgnoreCase(name))
          .map(entry -> entry.getValue().getFirst())
          .findFirst()
          .orElse(null);
    }

    /** The JSON-RPC method; empty for a request without a body. */
    String method() {
      String method = body.isEmpty() ? null : Json.of(body).textAt("method");
      return method == null ? "" : method;
    }

    String id() {
      return String.valueOf(Json.of(body).at("id"));
    }
  }

  /** One response; a stream stays open until the server is closed. */
  record Said(int status, Map<String, String> headers, String body, boolean open) {
    static Said json(int status, String body) {
      return new Said(status, Map.of("Content-Type", "application/json"), body, false);
    }

    static Said result(Seen seen, String result) {
      return json(200, "{\"jsonrpc\":\"2.0\",\"id\":" + seen.id() + ",\"result\":" + result + "}");
    }

    static Said error(Seen seen, int status, int code, String data) {
      return json(
          status,
          "{\"jsonrpc\":\"2.0\",\"id\":"
              + seen.id()
              + ",\"error\":{\"code\":"
              + code
              + ",\"message\":\"no\",\"data\":"
              + data
              + "}}");
    }

    static Said stream(String... messages) {
      StringBuilder body = new StringBuilder();
      for (String message : messages) {
        body.append("data: ").append(message).append("\n\n");
      }
      return new Said(200, Map.of("Content-Type", "text/event-stream"), body.toString(), true);
    }

    static Said nothing(int status) {
      return new Said(status, Map.of(), "", false);
    }

    Said with(String name, String value) {
      Map<String, String> more = new HashMap<>(headers);
      more.put(name, value);
      return new Said(status, more, body, open);
    }
  }

  final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpServer server;

  ScriptedHttp(Function<Seen, Said> script) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setExecutor(threads);
    server.createContext("/mcp", http -> answer(http, script));
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
  }

  /** What came with these JSON-RPC methods, in order. */
  List<String> methods() {
    return seen.stream().map(Seen::method).filter(method -> !method.isEmpty()).toList();
  }

  private void answer(HttpExchange http, Function<Seen, Said> script) throws IOException {
    String body = new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Seen request = new Seen(http.getRequestMethod(), Map.copyOf(http.getRequestHeaders()), body);
    seen.add(request);
    Said said = script.apply(request);
    said.headers().forEach((name, value) -> http.getResponseHeaders().set(name, value));
    byte[] bytes = said.body().getBytes(StandardCharsets.UTF_8);
    http.sendResponseHeaders(
        said.status(), bytes.length == 0 ? -1 : said.open() ? 0 : bytes.length);
    try (OutputStream out = http.getResponseBody()) {
      out.write(bytes);
      out.flush();
      if (said.open()) {
        closed.await();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
