package dev.callbound.gateway.config;

import java.time.Duration;
import java.util.List;

/** The keys under {@code recognise}: how a repeat of a write is recognised. */
final class RecogniseKeys {
  /** Where a tool stands in the file. */
  private static final String PLACE = "servers.NAME.tools.TOOL.recognise";

  /** {@code recognise.key}. */
  static final class ByKey {
    static final Key.Value<String> ARGUMENT =
        Key.Value.open(
            "argument",
            RecogniseFormats.ARGUMENT,
            "none",
            "The argument that takes the key. It is hidden from the model, and added to what the"
                + " tool receives.");
    static final Key.Value<String> META =
        Key.Value.open(
            "meta",
            RecogniseFormats.META,
            "none",
            "The field of `_meta` that takes the key, as in `example.com/idempotency-key`.");
    static final Key.Value<String> HEADER =
        Key.Value.open(
            "header",
            RecogniseFormats.HEADER,
            "none",
            "The HTTP header that takes the key, as in `Idempotency-Key`.");
    static final Key.Value<String> PARAM =
        Key.Value.open(
            "param",
            RecogniseFormats.PARAM,
            "none",
            "The field beside `name` and `arguments` that takes the key, as in `idempotencyKey`.");
    static final Key.Value<Duration> EXPIRES =
        Key.Value.open(
            "expires",
            Formats.duration(Duration.ofSeconds(1), Duration.ofDays(3650)),
            "never",
            "How long the server remembers a key. After that it recognises nothing any more.");

    static final Section SECTION =
        new Section(PLACE + ".key", List.of(ARGUMENT, META, HEADER, PARAM, EXPIRES));

    private ByKey() {}
  }

  /** {@code recognise.marker}. */
  static final class Marker {
    static final Key.Value<String> APPEND_TO =
        Key.Value.open(
            "append_to",
            RecogniseFormats.ARGUMENT,
            "none",
            "The argument, a text, at whose end the marker is put.");
    static final Key.Value<String> SET =
        Key.Value.open(
            "set", RecogniseFormats.ARGUMENT, "none", "The argument that the marker becomes.");
    static final Key.Value<String> AS =
        Key.Value.open(
            "as",
            RecogniseFormats.MARKER,
            "`{key}` with `set`; required with `append_to`",
            "The marker's text; `{key}` in it stands for the key.");

    static final Section SECTION = new Section(PLACE + ".marker", List.of(APPEND_TO, SET, AS));

    private Marker() {}
  }

  /** {@code recognise.check.pages}. */
  static final class Pages {
    static final Key.Value<String> CURSOR =
        Key.Value.open(
            "cursor",
            RecogniseFormats.POINTER,
            "required",
            "Where an answer says how the next page is asked for. Nothing there: it was the last.");
    static final Key.Value<String> ARGUMENT =
        Key.Value.of(
            "argument",
            RecogniseFormats.ARGUMENT,
            "cursor",
            "The argument of the check's tool that takes it.");
    static final Key.Value<Integer> MOST =
        Key.Value.of(
            "most",
            Formats.count(1, 1_000),
            "20",
            "How many pages are read. If there are more, the check gave no clear answer.");

    static final Section SECTION =
        new Section(PLACE + ".check.pages", List.of(CURSOR, ARGUMENT, MOST));

    private Pages() {}
  }

  /** {@code recognise.check.found}. */
  static final class Found {
    static final Key.Value<String> AT =
        Key.Value.open(
            "at",
            RecogniseFormats.POINTER,
            "required",
            "Where in an answer the effect shows; `*` stands for every element of a list or field"
                + " of an object.");
    static final Key.Value<String> EQUALS =
        Key.Value.open(
            "equals",
            RecogniseFormats.EQUALS,
            "whatever is there",
            "What stands there: a JSON pointer into the call's own arguments, or `{key}` for the"
                + " marker's text. Left out, whatever is there counts: every element of a list, a"
                + " number as often as it says.");

    static final Section SECTION = new Section(PLACE + ".check.found", List.of(AT, EQUALS));

    private Found() {}
  }

  /** {@code recognise.check}. */
  static final class Check {
    static final Key.Value<String> TOOL =
        Key.Value.open(
            "tool",
            Formats.NAME,
            "required",
            "A tool of the same server that reads. A tool that writes is never asked.");
    static final Key.Tree ARGUMENTS =
        new Key.Tree(
            "arguments",
            RecogniseFormats.TEMPLATE,
            "What it is asked with. A text `{/POINTER}` stands for the value there in the call's"
                + " own arguments, inside a longer text for its text; `{key}` stands for the key.");
    static final Key.Part PAGES =
        new Key.Part("pages", Pages.SECTION, "How the pages of its answer follow one another.");
    static final Key.Part FOUND =
        new Key.Part(
            "found",
            Found.SECTION,
            "What shows that the effect is there. Left out, the marker shows it, anywhere in an"
                + " answer.");
    static final Key.Value<Duration> SETTLES_AFTER =
        Key.Value.open(
            "settles_after",
            Formats.duration(Duration.ofMillis(1), Duration.ofHours(1)),
            "what is done shows at once",
            "How long after an attempt its absence begins to mean anything, where an index lags. It"
                + " must then be absent twice.");
    static final Key.Value<Duration> DEADLINE =
        Key.Value.of(
            "deadline",
            Formats.duration(Duration.ofMillis(1), Duration.ofHours(1)),
            "15s",
            "The longest that one question may take. It lies within the call's deadline.");
    static final Key.Value<Integer> ATTEMPTS =
        Key.Value.of(
            "attempts",
            Formats.count(1, ToolConfig.MOST_ATTEMPTS),
            "2",
            "How often one question may be asked until it is answered.");

    static final Section SECTION =
        new Section(
            PLACE + ".check",
            List.of(TOOL, ARGUMENTS, PAGES, FOUND, SETTLES_AFTER, DEADLINE, ATTEMPTS));

    private Check() {}
  }

  static final Key.Part KEY =
      new Key.Part("key", ByKey.SECTION, "The tool takes a key. Name one place for it.");
  static final Key.Part MARKER =
      new Key.Part(
          "marker", Marker.SECTION, "How the key becomes part of what a call leaves behind.");
  static final Key.Part CHECK =
      new Key.Part(
          "check", Check.SECTION, "The server can be asked whether the effect of a call is there.");

  static final Section SECTION = new Section(PLACE, List.of(KEY, MARKER, CHECK));

  private RecogniseKeys() {}
}
