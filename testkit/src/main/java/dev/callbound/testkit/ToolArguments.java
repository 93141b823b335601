package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The arguments of one call, read leniently: what is absent or of another type is the default. */
record ToolArguments(JsonNode json) {

  String text(String name, String standard) {
    return json.path(name).asText(standard);
  }

  /** The text under this name; null if there is none. */
  @Nullable String text(String name) {
    return json.hasNonNull(name) ? json.path(name).asText() : null;
  }

  int number(String name, int standard) {
    return json.path(name).asInt(standard);
  }

  Duration millis(String name, int standard) {
    return Duration.ofMillis(number(name, standard));
  }

  boolean flag(String name) {
    return json.path(name).asBoolean();
  }

  /** Whether the {@code nth} call of its scope is one that the fault hits; -1 hits all. */
  boolean strikes(int nth, int standardTimes) {
    int times = number("times", standardTimes);
    return times < 0 || nth <= times;
  }
}
