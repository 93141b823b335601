package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BadInputTest {
  private DoorFixture door;

  @BeforeEach
  void open() throws Exception {
    door = DoorFixture.open();
  }

  @AfterEach
  void nothingReachedTheBridge() throws Exception {
    assertThat(door.bridge.talks).isEmpty();
    // Whatever came, the door still serves the next.
    assertThat(door.post(DoorFixture.INITIALIZE).status()).isEqualTo(200);
    door.close();
  }

  @Test
  void requestOfTenMegabytesIsTooLarge() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + door.port + "/mcp"))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString("x".repeat(10 << 20)))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(response.statusCode()).isEqualTo(413);
      assertThat(response.body()).contains("max_request, 4194304 bytes").contains("\"id\":null");
    }
  }

  @Test
  void tooLargeIsSaidBeforeItIsRead() throws Exception {
    try (Wire wire = door.wire()) {
      wire.send("POST", "/mcp", "{", "Content-Length: 1000000000");

      assertThat(wire.reply().status()).isEqualTo(413);
    }
  }

  @Test
  void chunksAreBoundedToo() throws Exception {
    try (Wire wire = door.wire()) {
      wire.send("POST", "/mcp", "", "Content-Type: application/json", "Transfer-Encoding: chunked")
          .raw("7fffffff\r\n{".getBytes(StandardCharsets.US_ASCII));

      assertThat(wire.reply().status()).isEqualTo(413);
    }
  }

  @Test
  void tenThousandHeadersAreTooMany() throws Exception {
    StringBuilder head = new StringBuilder("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; i < 10_000; i++) {
      head.append("X-").append(i).append(": ").append(i).append("\r\n");
    }
    try (Wire wire = door.wire()) {
      wire.raw(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      Wire.Reply reply = wire.reply();

      assertThat(reply.status()).isEqualTo(431);
      assertThat(reply.body()).contains("max_header, 32768 bytes");
    }
  }

  @Test
  void invalidUtf8IsNamed() throws Exception {
    byte[] body = DoorFixture.PING.getBytes(StandardCharsets.UTF_8);
    body[DoorFixture.PING.indexOf("ping")] = (byte) 0xFF;
    try (Wire wire = door.wire()) {
      assertMalformed(wire.send("POST", "/mcp", body).reply(), -32700, "at byte");
    }
  }

  @Test
  void deepNestingIsNotFollowed() throws Exception {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);

    assertMalformed(
        door.post(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":" + deep + "}}"),
        -32700,
        "nested deeper than 200");
  }

  @Test
  void sameNameTwiceIsRefused() throws Exception {
    assertMalformed(
        door.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"method\":\"hang\"}"),
        -32700,
        "the same name twice, at byte");
  }

  @Test
  void batchIsRefused() throws Exception {
    assertMalformed(door.post("[" + DoorFixture.PING + "]"), -32600, "batches are not supported");
  }

  @Test
  void whatIsNoJsonIsRefused() throws Exception {
    assertMalformed(door.post("hello"), -32700, "not JSON");
  }

  @Test
  void whatIsNoMessageIsRefused() throws Exception {
    assertMalformed(door.post("{\"id\":1}"), -32600, "jsonrpc");
  }

  @Test
  void wrongContentTypeIsRefused() throws Exception {
    Wire.Reply reply = door.post(DoorFixture.PING, "Content-Type: text/plain; charset=utf-8");

    assertThat(reply.status()).isEqualTo(415);
    assertThat(reply.body()).contains("must be application/json").contains("text/plain");
    assertThat(door.post(DoorFixture.PING, "Content-Type:").status()).isEqualTo(415);
  }

  @Test
  void clientThatTakesOnlyOneFormIsRefused() throws Exception {
    assertThat(door.post(DoorFixture.INITIALIZE, "Accept: application/json").status())
        .isEqualTo(406);
    assertThat(door.post(DoorFixture.INITIALIZE, "Accept: text/event-stream").status())
        .isEqualTo(406);
  }

  @Test
  void otherMethodsAreRefusedWithTheRightOnes() throws Exception {
    Wire.Reply reply = door.ask("PUT", "/mcp", DoorFixture.PING);

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("Allow")).isEqualTo("POST, GET, DELETE");
  }

  @Test
  void whatIsNotHttpIsRefused() throws Exception {
    try (Wire wire = door.wire()) {
      wire.raw("hello\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(wire.reply().status()).isEqualTo(400);
    }
  }

  private static void assertMalformed(Wire.Reply reply, int code, String words) throws IOException {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.header("Content-Type")).isEqualTo("application/json");
    assertThat(reply.body()).contains("\"id\":null").contains("\"code\":" + code).contains(words);
  }
}
