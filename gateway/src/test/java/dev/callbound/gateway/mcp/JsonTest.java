package dev.callbound.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void valuesKeepTheirBytes() throws Exception {
    Json json = parse("  {\"a\": 1.50e3 , \"b\":[ 1,\"x\\u00e9é\" , {\"c\" :null}],\"d\":\"t\"} ");
    JsonObject members = json.asObject().orElseThrow();
    assertThat(members.get("a")).hasToString("1.50e3");
    assertThat(members.get("b")).hasToString("[ 1,\"x\\u00e9é\" , {\"c\" :null}]");
    assertThat(members.text("d")).isEqualTo("t");
    assertThat(members.get("b").elements())
        .map(Json::toString)
        .isEqualTo(List.of("1", "\"x\\u00e9é\"", "{\"c\" :null}"));
    assertThat(members.get("b").elements().get(2).at("c").isNull()).isTrue();
    assertThat(members.get("b").elements().get(1).asText()).contains("xéé");
  }

  @Test
  void aChangedMemberLeavesTheOthersAsTheyWere() throws Exception {
    JsonObject members =
        parse("{\"n\":1e400,\"x\":{\"y\" : 2},\"z\":\"\\ud83d\"}").asObject().orElseThrow();
    assertThat(members.with("x", Json.text("né\"w")).without("z").toJson())
        .hasToString("{\"n\":1e400,\"x\":\"né\\\"w\"}");
    assertThat(members.without("none").toJson())
        .hasToString("{\"n\":1e400,\"x\":{\"y\" : 2},\"z\":\"\\ud83d\"}");
  }

  @Test
  void nestedSlicesOfSlicesAreRight() throws Exception {
    Json json =
        parse(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"ü\"}],\"x\":12345678901234567890}}");
    assertThat(json.at("result", "x")).hasToString("12345678901234567890");
    assertThat(json.at("result", "content").elements().getFirst().textAt("text")).isEqualTo("ü");
    assertThat(json.at("result", "none", "deeper")).isNull();
  }

  @Test
  void badJsonIsRefusedWithoutQuotingIt() {
    assertThatThrownBy(() -> parse("{\"secret\":}"))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("not JSON")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> parse("{\"a\":1,\"a\":2}")).hasMessageContaining("same name twice");
    assertThatThrownBy(() -> parse("[".repeat(300) + "]".repeat(300)))
        .hasMessageContaining("deeper");
    assertThatThrownBy(() -> parse("{} {}")).hasMessageContaining("more than one");
    assertThatThrownBy(() -> parse("")).hasMessageContaining("empty");
    assertThatThrownBy(() -> Json.parse(new byte[] {'"', (byte) 0xc3, (byte) 0x28, '"'}))
        .isInstanceOf(MalformedMessageException.class);
    assertThatThrownBy(
            () -> Json.parse(new byte[] {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}'}))
        .isInstanceOf(MalformedMessageException.class);
  }

  private static Json parse(String text) throws MalformedMessageException {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
