package dev.callbound.gateway.config;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The formats of what recognises a repeat: pointers, templates and the places of keys. */
final class RecogniseFormats {
  private static final Map<String, Object> SOME_TEXT = Map.of("type", "string", "minLength", 1);

  /** The name of an argument. */
  static final Format<String> ARGUMENT =
      new Format<>("an argument's name", SOME_TEXT, RecogniseFormats::argument);

  /** An argument, or something in it. */
  static final Format<String> TARGET =
      new Format<>(
          "an argument's name or a JSON pointer",
          SOME_TEXT,
          text -> text.startsWith("/") ? pointer(text) : argument(text));

  /** A place in a document. */
  static final Format<String> POINTER =
      new Format<>(
          "a JSON pointer",
          Map.of("type", "string", "pattern", "^(/|\\$\\{)"),
          RecogniseFormats::pointer);

  /** What a check compares with. */
  static final Format<String> EQUALS =
      new Format<>(
          "a JSON pointer or `{key}`",
          Map.of("type", "string", "pattern", "^(/|\\{key\\}$|\\$\\{)"),
          text -> text.equals(Recognise.KEY) ? text : pointer(text));

  /** A text with the key in it. */
  static final Format<String> MARKER =
      new Format<>(
          "text with `{key}` in it",
          Map.of("type", "string", "pattern", "\\{key\\}|\\$\\{"),
          RecogniseFormats::marker);

  /** A text in which pointers and the key may stand. */
  static final Format<String> TEMPLATE =
      new Format<>("text", Map.of("type", "string"), RecogniseFormats::template);

  /** MCP 2025-11-25, general fields: an optional prefix and slash, then a name. */
  static final Format<String> META =
      new Format<>("a name in `_meta`", SOME_TEXT, RecogniseFormats::meta);

  static final Format<String> HEADER =
      new Format<>("a header's name", SOME_TEXT, RecogniseFormats::header);

  static final Format<String> PARAM =
      new Format<>("a name in `params`", SOME_TEXT, RecogniseFormats::param);

  private static final Pattern META_NAME =
      Pattern.compile(
          "(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*/)?"
              + "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?");

  /** What the protocol itself puts into the {@code params} of a call. */
  private static final Set<String> OWN_PARAMS =
      Set.of("name", "arguments", "_meta", "task", "inputResponses", "requestState");

  /** What is meant to be replaced, right or wrong: braces around a pointer or a single word. */
  private static final Pattern REPLACED = Pattern.compile("\\{(/[^{}]*|[A-Za-z_][A-Za-z0-9_.-]*)}");

  private RecogniseFormats() {}

  private static String argument(String text) throws FormatException {
    if (text.isBlank()) {
      throw new FormatException("is empty", "write an argument's name");
    }
    if (text.startsWith("/")) {
      throw new FormatException(
          "is a JSON pointer", "write the name of an argument, without the slash");
    }
    return text;
  }

  private static String pointer(String text) throws FormatException {
    if (!text.startsWith("/")) {
      throw new FormatException(
          "is not a JSON pointer", "begin it with a slash: /" + text.replaceFirst("^\\$\\.?", ""));
    }
    // RFC 6901: a tilde is only ever ~0 or ~1.
    if (text.replaceAll("~[01]", "").contains("~")) {
      throw new FormatException("is not a JSON pointer", "write ~0 for ~ and ~1 for /");
    }
    return text;
  }

  private static String marker(String text) throws FormatException {
    if (!text.contains(Recognise.KEY)) {
      throw new FormatException(
          "holds no {key}", "put {key} where the key is to stand, as in \"ref {key}\"");
    }
    return text;
  }

  private static String template(String text) throws FormatException {
    Matcher replaced = REPLACED.matcher(text);
    while (replaced.find()) {
      String inside = replaced.group(1);
      if (inside.startsWith("/")) {
        pointer(inside);
      } else if (!inside.equals("key")) {
        throw new FormatException(
            "holds {" + inside + "}, which is neither a JSON pointer nor {key}",
            "for the argument of that name write {/" + inside + "}");
      }
    }
    return text;
  }

  private static String meta(String text) throws FormatException {
    if (!META_NAME.matcher(text).matches()) {
      throw new FormatException(
          "is not a name in _meta", "write one such as example.com/idempotency-key");
    }
    int slash = text.indexOf('/');
    String[] labels = text.substring(0, Math.max(0, slash)).split("\\.", -1);
    if (labels.length > 1
        && (labels[1].equals("modelcontextprotocol") || labels[1].equals("mcp"))) {
      throw new FormatException(
          "has a prefix that the protocol keeps for itself", "name the field that the tool reads");
    }
    return text;
  }

  private static String header(String text) throws FormatException {
    if (!HeaderRules.isName(text)) {
      throw new FormatException("is not a header's name", "use letters, digits and -");
    }
    if (HeaderRules.isOwn(text) || text.toLowerCase(Locale.ROOT).equals("authorization")) {
      throw new FormatException(
          "is a header that carries something else", "write one such as Idempotency-Key");
    }
    return text;
  }

  private static String param(String text) throws FormatException {
    if (text.isBlank()) {
      throw new FormatException("is empty", "write a name such as idempotencyKey");
    }
    if (OWN_PARAMS.contains(text)) {
      throw new FormatException(
          "is a field of the protocol", "write a name such as idempotencyKey");
    }
    return text;
  }
}
