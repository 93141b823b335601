package dev.callbound.gateway.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the key that somebody meant. */
final class Nearest {
  /** What other programs call these. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "timeout", "deadline",
          "max_attempts", "attempts",
          "retries", "attempts",
          "mcp_servers", "servers",
          "disabled", "enabled",
          "transport", "type",
          "environment", "env",
          "allowed_addresses", "allow_addresses");

  private Nearest() {}

  /** The known name that is meant; null if none is close. */
  static @Nullable String to(String name, Collection<String> known) {
    String snake =
        name.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT).replace('-', '_');
    String elsewhere = ELSEWHERE.get(snake);
    if (elsewhere != null && known.contains(elsewhere)) {
      return elsewhere;
    }
    String nearest = null;
    int least = snake.length() / 3 + 2;
    for (String candidate : known) {
      int distance = distance(snake, candidate);
      if (distance < least) {
        least = distance;
        nearest = candidate;
      }
    }
    return nearest;
  }

  /** The Levenshtein distance: how many letters to insert, delete or replace. */
  static int distance(String left, String right) {
    int[] previous = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int[] current = new int[right.length() + 1];
      current[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = previous[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[right.length()];
  }
}
