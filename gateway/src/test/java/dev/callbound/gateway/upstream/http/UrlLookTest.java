package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.callbound.gateway.config.AddressRange;
import dev.callbound.gateway.config.AddressRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UrlLookTest {
  private static final AddressRules LOOPBACK =
      new AddressRules(List.of(AddressRange.parse("127.0.0.0/8")));

  private HttpServer server;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          int status = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
          exchange.getResponseHeaders().set("Location", "http://elsewhere.example/");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void onlyA2xxCounts() {
    assertThat(UrlLook.at(url("200"), LOOPBACK)).isEmpty();
    assertThat(UrlLook.at(url("204"), LOOPBACK)).isEmpty();
    assertThat(UrlLook.at(url("404"), LOOPBACK)).contains("it is answered with status 404");
    assertThat(UrlLook.at(url("302"), LOOPBACK)).isPresent();
  }

  @Test
  void anAddressThatIsNotAllowedIsNotConnectedTo() {
    assertThat(UrlLook.at(url("200"), AddressRules.PUBLIC_ONLY).orElse(""))
        .contains("127.0.0.1", "does not allow");
  }

  @Test
  void nobodyThereIsSaid() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(UrlLook.at(URI.create("http://127.0.0.1:" + port + "/"), LOOPBACK)).isPresent();
  }

  @Test
  void aSilentServerIsNotWaitedForLong() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(
              UrlLook.at(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"), LOOPBACK))
          .contains("no answer within 3 s");
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  private URI url(String status) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + status);
  }
}
