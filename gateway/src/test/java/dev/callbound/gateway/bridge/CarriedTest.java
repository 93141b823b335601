package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.JsonObject;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CarriedTest {
  private static final String KEY = "5a1f0c9e-3f1b-8a52-9d0e-7c3b1c7e2f10";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ARGUMENT | k | {'name':'t','arguments':{'a':1.0,'k':'KEY'}}",
        "META | x.dev/k | {'name':'t','arguments':{'a':1.0},'_meta':{'x.dev/k':'KEY'}}",
        "PARAM | idempotencyKey | {'name':'t','arguments':{'a':1.0},'idempotencyKey':'KEY'}",
        "HEADER | Idempotency-Key | {'name':'t','arguments':{'a':1.0}}"
      })
  void theKeyGoesWhereTheToolTakesIt(Recognise.Carrier carrier, String name, String params) {
    Carried carried =
        Carried.of(
            json("{'name':'t','arguments':{'a':1.0}}"),
            new Recognise.ByKey(carrier, name, null),
            KEY);

    assertThat(text(carried.params())).isEqualTo(params.replace("KEY", KEY));
    assertThat(carried.headers())
        .isEqualTo(carrier == Recognise.Carrier.HEADER ? Map.of(name, KEY) : Map.of());
    assertThat(carried.complaint()).isNull();
  }

  @Test
  void aKeyThatTheClientSentIsReplacedAndBelongsToNoIntent() {
    Recognise byKey = new Recognise.ByKey(Recognise.Carrier.ARGUMENT, "k", Duration.ofHours(24));
    JsonObject sent = json("{'arguments':{'k':'minted','a':1}}");

    assertThat(text(Carried.of(sent, byKey, KEY).params()))
        .isEqualTo("{'arguments':{'k':'" + KEY + "','a':1}}");
    assertThat(text(Carried.withoutKey(sent, byKey))).isEqualTo("{'arguments':{'a':1}}");
    assertThat(Carried.hidden(byKey)).contains("k");
  }

  @Test
  void argumentsThatAreNotThereAreMadeForTheKey() {
    Recognise byKey = new Recognise.ByKey(Recognise.Carrier.ARGUMENT, "k", null);

    assertThat(text(Carried.of(json("{'name':'t'}"), byKey, KEY).params()))
        .isEqualTo("{'name':'t','arguments':{'k':'" + KEY + "'}}");
    assertThat(text(Carried.withoutKey(json("{'name':'t'}"), byKey))).isEqualTo("{'name':'t'}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true | {'body':'hello'} | {'body':'hello <!-- KEY -->'}",
        "true | {'title':'t'} | {'title':'t','body':' <!-- KEY -->'}",
        "false | {'body':'hello'} | {'body':' <!-- KEY -->'}",
        "false | {'body':7} | {'body':' <!-- KEY -->'}"
      })
  void aMarkerIsAddedToItsTextOrStandsForIt(boolean append, String before, String after) {
    Carried carried = Carried.of(arguments(before), marked(append), KEY);

    assertThat(text(carried.params())).isEqualTo("{'arguments':" + after.replace("KEY", KEY) + "}");
    assertThat(carried.complaint()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{'body':7}", "{'body':null}", "{'body':['a']}", "{'body':{'a':'b'}}"})
  void aMarkerCanNotBeAddedToWhatIsNoText(String before) {
    Carried carried = Carried.of(arguments(before), marked(true), KEY);

    assertThat(text(carried.params())).isEqualTo("{'arguments':" + before + "}");
    assertThat(carried.complaint()).contains("the argument body", "not a text");
  }

  @Test
  void withoutAKeyOrARecognitionNothingIsChanged() {
    JsonObject sent = json("{'arguments':{'body':'x'},'_meta':{'y':1}}");

    assertThat(Carried.of(sent, new Recognise.Nothing(), KEY).params()).isSameAs(sent);
    assertThat(Carried.of(sent, marked(true), null).params()).isSameAs(sent);
  }

  private static Recognise marked(boolean append) {
    return new Recognise.ByCheck(
        new Recognise.Marker("body", append, " <!-- {key} -->"),
        new Recognise.Probe("list", "{}", null, null, null, Duration.ofSeconds(1), 1));
  }

  private static JsonObject arguments(String arguments) {
    return json("{'arguments':" + arguments + "}");
  }

  private static JsonObject json(String quoted) {
    return Sessions.object(quoted.replace('\'', '"'));
  }

  private static String text(JsonObject object) {
    return object.toJson().toString().replace('"', '\'');
  }
}
