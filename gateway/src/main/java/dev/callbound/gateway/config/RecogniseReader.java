package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads how a repeat of a tool's calls is recognised.
 *
 * @param where the tool's place
 * @param tool the tool's name
 */
record RecogniseReader(MappingReader where, String tool) {
  private static final List<Place> PLACES =
      List.of(
          new Place(RecogniseKeys.ByKey.ARGUMENT, Recognise.Carrier.ARGUMENT),
          new Place(RecogniseKeys.ByKey.META, Recognise.Carrier.META),
          new Place(RecogniseKeys.ByKey.HEADER, Recognise.Carrier.HEADER),
          new Place(RecogniseKeys.ByKey.PARAM, Recognise.Carrier.PARAM));

  /** What is written; null where nothing is, or what is wrong, which is reported. */
  @Nullable Recognise read() {
    if (!where.has(Keys.Tool.RECOGNISE)) {
      return null;
    }
    if (where.isWord(Keys.Tool.RECOGNISE)) {
      return new Recognise.Nothing();
    }
    MappingReader reader = where.part(Keys.Tool.RECOGNISE);
    boolean key = reader.has(RecogniseKeys.KEY);
    boolean check = reader.has(RecogniseKeys.CHECK);
    boolean marker = reader.has(RecogniseKeys.MARKER);
    if (key && (check || marker)) {
      where.problem(
          Keys.Tool.RECOGNISE,
          "has both key and " + (check ? "check" : "marker"),
          "keep key where the tool takes one, which is the safer of the two");
      return null;
    }
    if (marker && !check) {
      where.problem(
          Keys.Tool.RECOGNISE,
          "has a marker and no check, so nobody would look for it",
          "add check with the tool that finds it");
      return null;
    }
    if (key) {
      return byKey(reader.part(RecogniseKeys.KEY));
    }
    if (check) {
      return byCheck(reader, marker);
    }
    if (reader.isWritten() && reader.isEmpty()) {
      where.problem(
          Keys.Tool.RECOGNISE, "says nothing", "write none, or name key or check under it");
    }
    return null;
  }

  private static @Nullable Recognise byKey(MappingReader reader) {
    if (!reader.isWritten()) {
      return null;
    }
    List<Recognise.ByKey> keys = new ArrayList<>();
    boolean wrong = false;
    var expires = reader.written(RecogniseKeys.ByKey.EXPIRES);
    for (Place place : PLACES) {
      String name = reader.written(place.key);
      if (name != null) {
        keys.add(new Recognise.ByKey(place.carrier, name, expires));
      } else {
        wrong |= reader.has(place.key);
      }
    }
    if (keys.size() == 1) {
      return keys.getFirst();
    }
    if (!wrong) {
      reader.problem(
          keys.isEmpty() ? "names no place for the key" : "names several places for the key",
          "name one of argument, meta, header and param");
    }
    return null;
  }

  private @Nullable Recognise byCheck(MappingReader reader, boolean marked) {
    Recognise.Marker marker = marked ? marker(reader.part(RecogniseKeys.MARKER)) : null;
    MappingReader check = reader.part(RecogniseKeys.CHECK);
    Recognise.Probe probe = probe(check);
    if (probe == null || (marked && marker == null)) {
      return null;
    }
    if (!marked && !check.has(RecogniseKeys.Check.FOUND)) {
      check.problem(
          "says neither what is found nor what marks it", "add found to it, or marker beside it");
      return null;
    }
    Recognise.Found found = probe.found();
    if (!marked && found != null && found.isKey()) {
      check.problem(
          RecogniseKeys.Check.FOUND,
          "looks for the key, which nothing carries",
          "add marker beside check, or compare with one of the call's arguments");
      return null;
    }
    return new Recognise.ByCheck(marker, probe);
  }

  private static Recognise.@Nullable Marker marker(MappingReader reader) {
    if (!reader.isWritten()) {
      return null;
    }
    String append = reader.written(RecogniseKeys.Marker.APPEND_TO);
    String set = reader.written(RecogniseKeys.Marker.SET);
    boolean appends = reader.has(RecogniseKeys.Marker.APPEND_TO);
    boolean sets = reader.has(RecogniseKeys.Marker.SET);
    String text = reader.written(RecogniseKeys.Marker.AS);
    if (appends == sets) {
      reader.problem(
          appends ? "has both append_to and set" : "names no argument",
          "write append_to: ARGUMENT or set: ARGUMENT");
      return null;
    }
    if (appends && !reader.has(RecogniseKeys.Marker.AS)) {
      reader.problem(
          "does not say as what the key is added",
          "write it with what sets it off, as in as: \"\\n\\n<!-- {key} -->\"");
      return null;
    }
    String argument = appends ? append : set;
    if (argument == null || (text == null && reader.has(RecogniseKeys.Marker.AS))) {
      return null;
    }
    return new Recognise.Marker(argument, appends, text == null ? Recognise.KEY : text);
  }

  private Recognise.@Nullable Probe probe(MappingReader reader) {
    if (!reader.isWritten()) {
      return null;
    }
    String asked = required(reader, RecogniseKeys.Check.TOOL, "name the tool that is asked");
    String arguments = reader.tree(RecogniseKeys.Check.ARGUMENTS);
    Recognise.Pages pages = pages(reader);
    Recognise.Found found = found(reader);
    var settlesAfter = reader.written(RecogniseKeys.Check.SETTLES_AFTER);
    var deadline = reader.value(RecogniseKeys.Check.DEADLINE);
    int attempts = reader.value(RecogniseKeys.Check.ATTEMPTS);
    if (tool.equals(asked)) {
      reader.problem(
          RecogniseKeys.Check.TOOL,
          "is the tool itself, which would do it again",
          "name a tool that reads");
      return null;
    }
    if (asked == null
        || arguments == null
        || (pages == null && reader.has(RecogniseKeys.Check.PAGES))
        || (found == null && reader.has(RecogniseKeys.Check.FOUND))) {
      return null;
    }
    return new Recognise.Probe(asked, arguments, pages, found, settlesAfter, deadline, attempts);
  }

  private static Recognise.@Nullable Pages pages(MappingReader check) {
    if (!check.has(RecogniseKeys.Check.PAGES)) {
      return null;
    }
    MappingReader reader = check.part(RecogniseKeys.Check.PAGES);
    if (!reader.isWritten()) {
      return null;
    }
    String cursor =
        required(reader, RecogniseKeys.Pages.CURSOR, "say where, as in cursor: /nextCursor");
    String argument = reader.value(RecogniseKeys.Pages.ARGUMENT);
    int most = reader.value(RecogniseKeys.Pages.MOST);
    return cursor == null ? null : new Recognise.Pages(cursor, argument, most);
  }

  private static Recognise.@Nullable Found found(MappingReader check) {
    if (!check.has(RecogniseKeys.Check.FOUND)) {
      return null;
    }
    MappingReader reader = check.part(RecogniseKeys.Check.FOUND);
    if (!reader.isWritten()) {
      return null;
    }
    String at = required(reader, RecogniseKeys.Found.AT, "say where, as in at: /items/*/id");
    String equals = reader.written(RecogniseKeys.Found.EQUALS);
    boolean damaged = equals == null && reader.has(RecogniseKeys.Found.EQUALS);
    return at == null || damaged ? null : new Recognise.Found(at, equals);
  }

  private static @Nullable String required(
      MappingReader reader, Key.Value<String> key, String right) {
    if (!reader.has(key)) {
      reader.problem(key.name() + " is missing", right);
    }
    return reader.written(key);
  }

  /** A key of the file and where it puts the call's key. */
  private record Place(Key.Value<String> key, Recognise.Carrier carrier) {}
}
