package dev.callbound.benchmarks.duplicates;

import com.fasterxml.jackson.databind.JsonNode;

/** What a client takes for true about a write when it is through with it. */
enum Belief {
  DONE,
  NOT_DONE,
  /** It may have been done. */
  UNKNOWN;

  /** What an answer says; only Callbound ever says that it does not know. */
  static Belief of(JsonNode response) {
    JsonNode result = response.path("result");
    if (result.isObject() && !result.path("isError").asBoolean()) {
      return DONE;
    }
    JsonNode outcome = result.path("_meta").path("dev.callbound/outcome");
    return outcome.path("status").asText().equals("unknown") ? UNKNOWN : NOT_DONE;
  }

  /** Whether the server knows better. Who leaves it open is never wrong, and has to look. */
  boolean isWrong(long times) {
    return switch (this) {
      case DONE -> times != 1;
      case NOT_DONE -> times != 0;
      case UNKNOWN -> false;
    };
  }
}
