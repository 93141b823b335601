package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IntentsTest {
  private static String key(String arguments, @Nullable String answers, @Nullable String step) {
    return Intents.of(
            "local",
            "r_1",
            step,
            "notes",
            "add",
            ToolConfig.standard(),
            Json.of(arguments),
            answers == null ? null : Json.of(answers),
            "c_1")
        .key();
  }

  @Test
  void theSpellingOfTheArgumentsDoesNotCount() {
    assertThat(key("{\"a\": 1.0, \"b\": \"\\u0041\"}", null, null))
        .isEqualTo(key("{\"b\":\"A\",\"a\":1}", null, null));
  }

  @Test
  void anIdThatADoubleCanNotTellFromAnotherIsAnother() {
    assertThat(key("{\"id\":9007199254740993}", null, null))
        .isNotEqualTo(key("{\"id\":9007199254740992}", null, null));
  }

  @Test
  void anotherStepIsAnotherIntent() {
    assertThat(key("{}", null, "one")).isNotEqualTo(key("{}", null, "two"));
    assertThat(key("{}", null, "")).isNotEqualTo(key("{}", null, null));
  }

  /** A request that goes on with answers is no repeat of the one that was asked. */
  @Test
  void answersToQuestionsMakeAnotherIntent() {
    String asked = key("{}", null, null);

    assertThat(key("{}", "{\"q\":1}", null))
        .isNotEqualTo(asked)
        .isEqualTo(key("{}", "{ \"q\" : 1 }", null))
        .isNotEqualTo(key("{}", "{\"q\":2}", null));
  }
}
