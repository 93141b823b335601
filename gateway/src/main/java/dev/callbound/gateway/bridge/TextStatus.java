package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Failure;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the status of the provider behind a tool where a tool's error text plainly wraps one.
 *
 * <p>Conservative: a number counts only beside a word that makes it a status, and only 429, 401,
 * 403 and 5xx count at all. What is not recognised is the tool's own error, and stays that.
 */
final class TextStatus {
  /** A status is told early or not at all; a page of text is not searched for one. */
  private static final int LOOKED_AT = 2_000;

  private static final String STATUS = "(429|401|403|5\\d\\d)";

  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)(?:\\bhttp(?:/\\d(?:\\.\\d)?)?(?:\\s+(?:status|error|code))*"
              + "|\\bstatus(?:[ _]?code)?|\\bresponse\\s+code|\\berror\\s+code)"
              + "[\\s\"']*[:=(]?\\s*"
              + STATUS
              + "\\b");

  private static final Pattern PHRASED =
      Pattern.compile(
          "(?i)\\b"
              + STATUS
              + "\\b[\\s:\\-(]{1,3}(?:too many requests|unauthorized|forbidden"
              + "|internal server error|bad gateway|service unavailable|gateway time-?out)");

  private static final Pattern WAIT =
      Pattern.compile(
          "(?i)(?:retry[- ]after|(?:try again|retry) (?:in|after))\\W{0,3}(\\d{1,6})\\s*"
              + "(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)?\\b");

  private TextStatus() {}

  /**
   * What the tool's error result is as a failure.
   *
   * @param profile knows how this server's texts wrap a status; null where nothing is known
   */
  static Failure.ToolError read(Json result, @Nullable Profile profile) {
    String text = firstText(result);
    if (text == null) {
      return Failure.ToolError.PLAIN;
    }
    String begin = text.substring(0, Math.min(text.length(), LOOKED_AT));
    OptionalInt known = profile == null ? OptionalInt.empty() : profile.statusIn(begin);
    Integer status = known.isPresent() ? Integer.valueOf(known.getAsInt()) : status(begin);
    return status == null
        ? Failure.ToolError.PLAIN
        : new Failure.ToolError(status, status == 429 ? pause(begin) : null);
  }

  static @Nullable String firstText(Json result) {
    Json content = result.at("content");
    return content == null
        ? null
        : content.elements().stream()
            .map(item -> item.textAt("text"))
            .filter(text -> text != null)
            .findFirst()
            .orElse(null);
  }

  private static @Nullable Integer status(String text) {
    Matcher named = NAMED.matcher(text);
    if (named.find()) {
      return Integer.valueOf(named.group(1));
    }
    Matcher phrased = PHRASED.matcher(text);
    return phrased.find() ? Integer.valueOf(phrased.group(1)) : null;
  }

  private static @Nullable Duration pause(String text) {
    Matcher wait = WAIT.matcher(text);
    if (!wait.find()) {
      return null;
    }
    long count = Long.parseLong(wait.group(1));
    String unit = wait.group(2) == null ? "s" : wait.group(2);
    Duration pause =
        unit.startsWith("ms") || unit.startsWith("milli")
            ? Duration.ofMillis(count)
            : switch (unit.charAt(0)) {
              case 'm', 'M' -> Duration.ofMinutes(count);
              case 'h', 'H' -> Duration.ofHours(count);
              default -> Duration.ofSeconds(count);
            };
    return pause.isPositive() ? pause : null;
  }
}
