package dev.callbound.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a fault server is started with: the options of its command line, each with its default. */
final class FaultOptions {
  /** Options that take a value, with what holds when they are not given. */
  private static final Map<String, String> VALUES = values();

  private static final List<String> FLAGS =
      List.of("stdio", "stateless", "ignore-sigterm", "grandchild");

  private final Map<String, String> given = new LinkedHashMap<>();

  private static Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("port", "0");
    values.put("host", "127.0.0.1");
    values.put("path", "/mcp");
    values.put("ledger", "");
    values.put("admin-port", "");
    values.put("reply", "auto");
    values.put("stale-status", "404");
    values.put("token", "");
    values.put("init-delay-ms", "0");
    values.put("list-delay-ms", "0");
    values.put("page-size", "0");
    values.put("list-loop", "none");
    values.put("tool-count", "0");
    values.put("name", "faultserver");
    values.put("max-version", "9999-12-31");
    values.put("keepalive-ms", "5000");
    values.put("linger-ms", "0");
    return values;
  }

  /**
   * Reads a command line: {@code --name VALUE}, {@code --name=VALUE} or {@code --flag}.
   *
   * @throws IllegalArgumentException if an option is unknown or lacks its value
   */
  static FaultOptions parse(String... arguments) {
    FaultOptions options = new FaultOptions();
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (!argument.startsWith("--")) {
        throw new IllegalArgumentException("not an option: " + argument + " (they begin with --)");
      }
      int equals = argument.indexOf('=');
      String name = argument.substring(2, equals < 0 ? argument.length() : equals);
      if (equals >= 0) {
        options.set(name, argument.substring(equals + 1));
      } else if (FLAGS.contains(name)) {
        options.set(name, "true");
      } else if (i + 1 < arguments.length) {
        options.set(name, arguments[++i]);
      } else {
        throw new IllegalArgumentException("--" + name + " needs a value");
      }
    }
    return options;
  }

  void set(String name, String value) {
    if (!VALUES.containsKey(name) && !FLAGS.contains(name)) {
      throw new IllegalArgumentException(
          "unknown option: --" + name + " (known: " + VALUES.keySet() + " " + FLAGS + ")");
    }
    given.put(name, value);
  }

  FaultOptions copy() {
    FaultOptions copy = new FaultOptions();
    copy.given.putAll(given);
    return copy;
  }

  /** The command line that says the same. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    given.forEach(
        (name, value) -> {
          if (!FLAGS.contains(name)) {
            arguments.add("--" + name);
            arguments.add(value);
          } else if (value.equals("true")) {
            arguments.add("--" + name);
          }
        });
    return arguments;
  }

  String text(String name) {
    String value = given.get(name);
    if (value != null) {
      return value;
    }
    String standard = VALUES.get(name);
    if (standard == null) {
      throw new IllegalArgumentException("no such option: " + name);
    }
    return standard;
  }

  int number(String name) {
    String value = text(name);
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " must be a whole number: " + value, e);
    }
  }

  Duration millis(String name) {
    return Duration.ofMillis(number(name));
  }

  boolean flag(String name) {
    return "true".equals(given.get(name));
  }

  boolean stdio() {
    return flag("stdio");
  }

  String name() {
    return text("name");
  }

  /** Where the ledger is kept; null for memory only. */
  @Nullable Path ledger() {
    String file = text("ledger");
    return file.isEmpty() ? null : Path.of(file);
  }
}
