package dev.callbound.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"vendor\":{\"k\":1.0}}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[]}}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\",\"data\":[1]}}"
      })
  void aMessageIsWrittenAsItWasRead(String text) throws Exception {
    Message message = Message.parse(text.getBytes(StandardCharsets.UTF_8));
    assertThat(new String(message.toBytes(), StandardCharsets.UTF_8)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "1",
        "{}",
        "{\"jsonrpc\":\"1.0\",\"method\":\"x\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":5}",
        "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"x\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":[1]}"
      })
  void whatIsNoMessageIsRefused(String text) {
    assertThatThrownBy(() -> Message.parse(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOfSatisfying(
            MalformedMessageException.class,
            e -> assertThat(e.code()).isEqualTo(RpcError.INVALID_REQUEST));
  }

  @Test
  void aBatchIsNamedInTheRefusal() {
    assertThatThrownBy(() -> Message.parse("[{}]".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("batches");
  }
}
