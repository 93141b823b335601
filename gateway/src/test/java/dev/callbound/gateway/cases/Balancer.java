package dev.callbound.gateway.cases;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A load balancer without affinity, in front of replicas that do not know each other's sessions. It
 * passes on POST requests only, each whole.
 */
final class Balancer implements AutoCloseable {
  private static final List<String> PASSED_ON =
      List.of("Content-Type", "Accept", "Mcp-Session-Id", "MCP-Protocol-Version");

  /**
   * A request that is to be passed on.
   *
   * @param number counts from 0
   * @param begins whether it begins a session
   */
  record Request(int number, boolean begins) {}

  private final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger requests = new AtomicInteger();
  private final Function<Request, URI> route;

  private Balancer(HttpServer server, Function<Request, URI> route) {
    this.server = server;
    this.route = route;
  }

  /** Starts one that sends each request where the function says. */
  static Balancer start(Function<Request, URI> route) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Balancer balancer = new Balancer(server, route);
    server.createContext("/", balancer::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return balancer;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      boolean begins =
          new String(body, StandardCharsets.UTF_8).contains("\"method\":\"initialize\"");
      URI replica = route.apply(new Request(requests.getAndIncrement(), begins));
      HttpRequest.Builder request =
          HttpRequest.newBuilder(replica).POST(HttpRequest.BodyPublishers.ofByteArray(body));
      copy(exchange.getRequestHeaders()::getFirst, request::header);
      HttpResponse<byte[]> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      copy(
          name -> response.headers().firstValue(name).orElse(null),
          exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(
          response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(response.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void copy(Function<String, String> from, BiConsumer<String, String> to) {
    for (String name : PASSED_ON) {
      String value = from.apply(name);
      if (value != null) {
        to.accept(name, value);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.shutdownNow();
  }
}
