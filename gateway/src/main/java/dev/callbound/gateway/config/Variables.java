package dev.callbound.gateway.config;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the environment into texts: {@code ${NAME}} and {@code ${NAME:-default}}. A doubled dollar
 * before the brace stands for a single one, with nothing put in. It works on values that are
 * already parsed, so what a variable holds can't change the structure of a file.
 *
 * <p>It remembers every value that it put in, as a secret. Not thread-safe.
 */
final class Variables {
  /** Takes {@code ${env:NAME}} too: editors spell it so, and their files are read unchanged. */
  private static final Pattern REFERENCE =
      Pattern.compile("\\$(\\$\\{|\\{(?:(?:env:)?([A-Za-z_]\\w*)(:-([^}]*))?})?)");

  /** Names whose values everybody knows. To take a home folder out of every path helps nobody. */
  private static final Set<String> PUBLIC =
      Set.of("HOME", "USER", "LOGNAME", "PWD", "SHELL", "PATH", "LANG", "TMPDIR", "HOSTNAME");

  private final Map<String, String> environment;
  private final Set<String> used = new LinkedHashSet<>();

  Variables(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The values that were put in so far, except of variables that everybody knows. */
  Set<String> used() {
    return new LinkedHashSet<>(used);
  }

  /** Whether the text refers to a variable, so that what it expands to must not be shown. */
  static boolean in(String text) {
    return text.contains("${");
  }

  /**
   * The text with its variables expanded.
   *
   * @throws FormatException if a variable is not set and has no default, or a reference is
   *     malformed
   */
  String expand(String text) throws FormatException {
    if (!in(text)) {
      return text;
    }
    Matcher matcher = REFERENCE.matcher(text);
    StringBuilder expanded = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(2);
      String value;
      if (name != null) {
        value = value(name, matcher.group(3) == null ? null : matcher.group(4));
      } else if (matcher.group(1).equals("${")) {
        value = "${";
      } else {
        throw malformed(text);
      }
      matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
    }
    matcher.appendTail(expanded);
    return expanded.toString();
  }

  /** A variable's value; {@code otherwise} is the default, null if none was written. */
  private String value(String name, @Nullable String otherwise) throws FormatException {
    String value = environment.get(name);
    if (otherwise != null && (value == null || value.isEmpty())) {
      // As in a shell: an empty variable takes the default too.
      return otherwise;
    }
    if (value == null) {
      throw new FormatException(
          "names the variable " + name + ", which is not set",
          "set " + name + ", or give a default: ${" + name + ":-...}");
    }
    if (!PUBLIC.contains(name) && !name.startsWith("XDG_")) {
      used.add(value);
    }
    return value;
  }

  private static FormatException malformed(String text) {
    if (text.contains("${input:")) {
      return new FormatException(
          "asks for an editor's input, which only the editor can give",
          "put the value into the environment and write ${NAME}");
    }
    return new FormatException(
        "holds a ${ that is not ${NAME} or ${NAME:-default}", "for a plain ${ write $${");
  }
}
