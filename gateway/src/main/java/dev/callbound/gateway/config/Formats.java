package dev.callbound.gateway.config;

import dev.callbound.policy.Money;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The formats that a value can have. */
final class Formats {
  /** Any text. */
  static final Format<String> TEXT =
      new Format<>("text", Map.of("type", "string"), Formats::withoutNul);

  /** Text that says something. */
  static final Format<String> NAME =
      new Format<>("text", Map.of("type", "string", "minLength", 1), Formats::name);

  static final Format<String> PATH =
      new Format<>("a path", Map.of("type", "string", "minLength", 1), Formats::name);

  static final Format<String> PROFILE =
      new Format<>(
          "`auto`, `none`, a shipped profile's name or a path",
          Map.of("type", "string", "minLength", 1),
          Formats::name);

  static final Format<Boolean> FLAG =
      choice("`true` or `false`", orderedChoices(List.of(true, false), String::valueOf));

  static final Format<URI> URL =
      new Format<>(
          "an http or https URL",
          Map.of("type", "string", "pattern", "^(https?://|\\$\\{)"),
          Formats::url);

  static final Format<ListenAddress> LISTEN_ADDRESS =
      new Format<>("`HOST:PORT`", Map.of("type", "string"), Formats::listenAddress);

  static final Format<AddressRange> ADDRESS_RANGE =
      new Format<>("an IP address or `ADDRESS/BITS`", Map.of("type", "string"), Formats::range);

  static final Format<TransportType> TRANSPORT_TYPE =
      new Format<>(
          "`stdio`, `http` or `streamable-http`",
          Map.of("enum", List.of("stdio", "http", "streamable-http")),
          TransportType::parse);

  static final Format<String> MASK =
      new Format<>(
          "a field's name or a JSON pointer",
          Map.of("type", "string", "minLength", 1),
          Formats::mask);

  /** A silence that is watched for, or {@link Duration#ZERO} for {@code off}. */
  static final Format<Duration> STALL = stall();

  /** How many at once; {@link Integer#MAX_VALUE} for {@code unlimited}. */
  static final Format<Integer> AT_ONCE = atOnce();

  /** An amount of money; zero or more. */
  static final Format<Money> MONEY =
      new Format<>(
          "an amount such as `0.25`",
          Map.of("type", "number", "minimum", 0, "maximum", Money.MOST / 1_000_000),
          Formats::money);

  private Formats() {}

  /** A duration in the given range, both ends included. */
  static Format<Duration> duration(Duration least, Duration most) {
    return new Format<>(
        "a duration",
        // A number has no unit, so the only one that is a duration is 0.
        Map.of(
            "type",
            List.of("string", "integer"),
            "pattern",
            Durations.PATTERN,
            "minimum",
            0,
            "maximum",
            0),
        text -> Durations.parse(text, least, most));
  }

  /** A number of bytes from 1 to 1 GiB. */
  static Format<Integer> size() {
    return new Format<>(
        "a size",
        Map.of("type", List.of("string", "integer"), "pattern", Sizes.PATTERN, "minimum", 1),
        Sizes::parse);
  }

  /** A whole number in the given range, both ends included. */
  static Format<Integer> count(int least, int most) {
    String range = least + " to " + most;
    return new Format<>(
        range,
        Map.of("type", "integer", "minimum", least, "maximum", most),
        text -> {
          try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
              return value;
            }
          } catch (NumberFormatException notANumber) {
            throw new FormatException("is not a whole number", "write one from " + range);
          }
          throw new FormatException("is out of range", "write a number from " + range);
        });
  }

  /** One of an enum's constants, in lower case. */
  static <E extends Enum<E>> Format<E> choice(Class<E> type) {
    return choice(type, constant -> constant.name().toLowerCase(Locale.ROOT));
  }

  /** One of an enum's constants, each spelled as the function says. */
  static <E extends Enum<E>> Format<E> choice(Class<E> type, Function<E, String> spelling) {
    Map<String, E> choices = orderedChoices(List.of(type.getEnumConstants()), spelling);
    String name = "`" + String.join("`, `", choices.keySet()) + "`";
    int last = name.lastIndexOf(", ");
    return choice(name.substring(0, last) + " or " + name.substring(last + 2), choices);
  }

  private static <T> Map<String, T> orderedChoices(List<T> values, Function<T, String> spelling) {
    Map<String, T> choices = new LinkedHashMap<>();
    values.forEach(value -> choices.put(spelling.apply(value), value));
    return choices;
  }

  private static <T> Format<T> choice(String name, Map<String, T> choices) {
    boolean flag = choices.containsKey("true");
    return new Format<>(
        name,
        flag ? Map.of("type", "boolean") : Map.of("enum", List.copyOf(choices.keySet())),
        text -> {
          T value = choices.get(text.strip());
          if (value == null) {
            throw new FormatException("is not a choice here", "write " + name.replace("`", ""));
          }
          return value;
        });
  }

  private static Format<Duration> stall() {
    Format<Duration> duration = duration(Duration.ofMillis(1), Durations.MONTH);
    return new Format<>(
        "a duration or `off`",
        // YAML 1.1, which some editors read, takes a plain off for false.
        Map.of(
            "anyOf",
            List.of(
                Map.of("type", "string", "pattern", "^off$|" + Durations.PATTERN),
                Map.of("const", false))),
        text -> text.equals("off") ? Duration.ZERO : duration.parse(text));
  }

  private static Format<Integer> atOnce() {
    Format<Integer> count = count(1, 100_000);
    String unlimited = "unlimited";
    return new Format<>(
        count.name() + " or `" + unlimited + "`",
        Map.of("anyOf", List.of(count.schema(), Map.of("const", unlimited))),
        text ->
            text.strip().equals(unlimited)
                ? Integer.valueOf(Integer.MAX_VALUE)
                : count.parse(text));
  }

  private static String name(String text) throws FormatException {
    if (text.isBlank()) {
      throw new FormatException("is empty", "write a value, or leave the key out");
    }
    return withoutNul(text);
  }

  /** No program and no file system takes the character. */
  private static String withoutNul(String text) throws FormatException {
    if (text.indexOf('\0') >= 0) {
      throw new FormatException("holds the character NUL", "leave it out");
    }
    return text;
  }

  private static Money money(String text) throws FormatException {
    try {
      return Money.parse(text.strip());
    } catch (IllegalArgumentException notAnAmount) {
      throw new FormatException(
          "is not an amount", "write one such as 0.25, with six decimals at most");
    }
  }

  private static URI url(String text) throws FormatException {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException syntax) {
      throw new FormatException(
          "is not a URL (" + syntax.getReason() + ")", "write one such as https://host/mcp");
    }
    String scheme = url.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw new FormatException(
          "is not an http or https URL", "write one such as https://host/mcp");
    }
    if (url.getHost() == null || url.getPort() > 65_535) {
      throw new FormatException("names no valid host", "write one such as https://host/mcp");
    }
    if (url.getRawUserInfo() != null) {
      throw new FormatException(
          "carries a user and password", "send them in headers, as in Authorization: ${TOKEN}");
    }
    if (url.getRawFragment() != null) {
      throw new FormatException("has a fragment", "leave out the # and what follows");
    }
    return url;
  }

  private static ListenAddress listenAddress(String text) throws FormatException {
    try {
      return ListenAddress.parse(text);
    } catch (IllegalArgumentException notAnAddress) {
      throw new FormatException(
          "is not HOST:PORT", "write 127.0.0.1:7420, or [::1]:0 for any port");
    }
  }

  private static AddressRange range(String text) throws FormatException {
    AddressRange range;
    try {
      range = AddressRange.parse(text);
    } catch (IllegalArgumentException notARange) {
      throw new FormatException(
          "is not an address or a range", "write one such as 10.1.2.3 or 10.0.0.0/8");
    }
    if (AddressRules.isForbidden(range)) {
      throw new FormatException(
          "is link-local or a cloud's metadata service, which is never allowed", "leave it out");
    }
    return range;
  }

  private static String mask(String text) throws FormatException {
    if (text.isBlank()) {
      throw new FormatException("is empty", "write a field's name or a JSON pointer");
    }
    // RFC 6901: a tilde is only ever ~0 or ~1.
    if (text.startsWith("/") && text.replaceAll("~[01]", "").contains("~")) {
      throw new FormatException("is not a JSON pointer", "write ~0 for ~ and ~1 for /");
    }
    return text;
  }
}
