package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one mapping of a file by the keys that may stand in it. What is wrong is reported, and the
 * default taken in its place, so that reading goes on to the next problem. Not thread-safe.
 */
final class MappingReader {
  /** Longer values are cut in an error. */
  private static final int SHOWN = 60;

  private final Reading reading;
  private final SourceFile file;
  private final Node.Mapping mapping;
  private final String path;

  private MappingReader(Reading reading, SourceFile file, Node.Mapping mapping, String path) {
    this.reading = reading;
    this.file = file;
    this.mapping = mapping;
    this.path = path;
  }

  /** Reads a mapping of our own file, in which a key that is not in the section is a problem. */
  static MappingReader strict(
      Reading reading, SourceFile file, Node.Mapping mapping, String path, Section section) {
    MappingReader reader = new MappingReader(reading, file, mapping, path);
    mapping.entries().forEach((name, entry) -> reader.checkKnown(name, entry, section));
    return reader;
  }

  /**
   * Reads a mapping of another program's file, in which there may be keys that mean nothing here.
   * They are passed over with a warning.
   */
  static MappingReader lenient(
      Reading reading, SourceFile file, Node.Mapping mapping, String path, Section section) {
    Map<String, Node.Entry> known = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              if (section.key(name) != null) {
                // A null there means that the key is not set.
                if (!(entry.value() instanceof Node.Scalar(int line, String text, _)
                    && text == null)) {
                  known.put(name, entry);
                }
              } else {
                reading
                    .warnings()
                    .add(file.path() + ":" + entry.line() + ": " + path + "." + name + ": ignored");
              }
            });
    return new MappingReader(reading, file, new Node.Mapping(mapping.line(), known), path);
  }

  String path() {
    return path;
  }

  /** What this load carries from file to file. */
  Reading reading() {
    return reading;
  }

  int line() {
    return mapping.line();
  }

  SourceFile file() {
    return file;
  }

  boolean has(Key key) {
    return mapping.entries().containsKey(key.name());
  }

  /** The value; the default where it is not written or wrong. The key must have a default. */
  <T> T value(Key.Value<T> key) {
    T written = written(key);
    return written != null ? written : key.required();
  }

  /** The value; null where it is not written, or wrong. */
  <T> @Nullable T written(Key.Value<T> key) {
    Node.Entry entry = mapping.entries().get(key.name());
    return entry == null ? null : scalar(entry.value(), entry.line(), path(key), key.format());
  }

  /** The values; the default where they are not written. The key must have a default. */
  <T> List<T> values(Key.Values<T> key) {
    List<T> written = written(key);
    return written != null ? written : key.required();
  }

  /** The values that are right; null where none are written. */
  <T> @Nullable List<T> written(Key.Values<T> key) {
    Node.Entry entry = mapping.entries().get(key.name());
    if (entry == null) {
      return null;
    }
    if (!(entry.value() instanceof Node.Sequence(int line, List<Node> items))) {
      wrongKind(entry, path(key), "a list, as in [" + key.format().name().replace("`", "") + "]");
      return null;
    }
    List<T> values = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Node item = items.get(i);
      T value = scalar(item, item.line(), path(key) + "[" + i + "]", key.format());
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  /** The pairs whose value is right. They count as secrets. */
  Map<String, Secret> pairs(Key.Pairs key) {
    Map<String, Secret> pairs = new LinkedHashMap<>();
    submapping(key)
        .entries()
        .forEach(
            (name, entry) -> {
              String keyPath = path(key) + "." + name;
              String text = secretText(entry.value(), entry.line(), keyPath);
              if (text != null) {
                pairs.put(name, reading.secret(text));
              }
            });
    return pairs;
  }

  /** A secret value; null where it is not written, or wrong. */
  @Nullable Secret secret(Key.Value<String> key) {
    Node.Entry entry = mapping.entries().get(key.name());
    if (entry == null) {
      return null;
    }
    String text = secretText(entry.value(), entry.line(), path(key));
    return text == null ? null : reading.secret(text);
  }

  /** The text as it stands there, whatever looks like a variable; null where none is written. */
  @Nullable String verbatim(Key.Value<String> key) {
    Node.Entry entry = mapping.entries().get(key.name());
    if (entry == null) {
      return null;
    }
    String raw = text(entry.value(), entry.line(), path(key), "text");
    if (raw != null && raw.isBlank()) {
      problem(key, "is empty", "write text, or leave it out");
      return null;
    }
    return raw;
  }

  MappingReader part(Key.Part key) {
    return strict(reading, file, submapping(key), path(key), key.section());
  }

  /** Whether the key's word is written in place of its mapping. */
  boolean isWord(Key.PartOrWord key) {
    Node.Entry entry = mapping.entries().get(key.name());
    return entry != null
        && entry.value() instanceof Node.Scalar(_, String text, _)
        && key.word().equals(text);
  }

  MappingReader part(Key.PartOrWord key) {
    Node.Entry entry = mapping.entries().get(key.name());
    if (entry != null && !(entry.value() instanceof Node.Mapping)) {
      wrongKind(
          entry, path(key), key.word() + ", or " + String.join(" or ", key.section().names()));
    }
    Node.Mapping sub =
        entry != null && entry.value() instanceof Node.Mapping found
            ? new Node.Mapping(entry.line(), found.entries())
            : Node.Mapping.NONE;
    return strict(reading, file, sub, path(key), key.section());
  }

  /** Whether there is a mapping here at all, be it empty. */
  boolean isWritten() {
    return mapping.line() > 0;
  }

  /** Whether nothing stands in it. */
  boolean isEmpty() {
    return mapping.entries().isEmpty();
  }

  /** The mapping as a JSON object, empty where none is written; null if something is wrong. */
  @Nullable String tree(Key.Tree key) {
    Texts texts =
        new Texts() {
          @Override
          public @Nullable String read(Node.Scalar text, String place) {
            return scalar(text, text.line(), place, key.texts());
          }

          @Override
          public void problem(Node.Scalar value, String place, String wrong, String right) {
            reading.problems().add(file.problem(value.line(), place, wrong, right));
          }
        };
    return JsonText.of(submapping(key), path(key), texts);
  }

  /** Reads what stands in a tree of values. */
  interface Texts {
    /** The text; null if it is wrong, which is reported. */
    @Nullable String read(Node.Scalar text, String place);

    void problem(Node.Scalar value, String place, String wrong, String right);
  }

  /** The mappings under free names, in the order of the file. */
  Map<String, MappingReader> parts(Key.Parts key) {
    Map<String, MappingReader> parts = new LinkedHashMap<>();
    submapping(key)
        .entries()
        .forEach(
            (name, entry) -> {
              String partPath = path(key) + "." + name;
              Node.Mapping part = asMapping(entry, partPath);
              if (part != null) {
                parts.put(name, strict(reading, file, part, partPath, key.section()));
              }
            });
    return parts;
  }

  List<MappingReader> entries(Key.Entries key) {
    Node.Entry entry = mapping.entries().get(key.name());
    List<MappingReader> readers = new ArrayList<>();
    if (entry == null) {
      return readers;
    }
    if (!(entry.value() instanceof Node.Sequence(int line, List<Node> items))) {
      String keys = String.join(", ", key.section().names());
      wrongKind(entry, path(key), "a list of mappings with " + keys);
      return readers;
    }
    for (int i = 0; i < items.size(); i++) {
      String itemPath = path(key) + "[" + i + "]";
      Node.Mapping item = asMapping(new Node.Entry(items.get(i).line(), items.get(i)), itemPath);
      if (item != null) {
        readers.add(strict(reading, file, item, itemPath, key.section()));
      }
    }
    return readers;
  }

  /** Reports that what stands under a key, or its absence, is wrong. */
  void problem(Key key, String wrong, String right) {
    Node.Entry entry = mapping.entries().get(key.name());
    int line = entry == null ? mapping.line() : entry.line();
    reading.problems().add(file.problem(line, path(key), wrong, right));
  }

  /** Reports that the mapping as a whole is wrong. */
  void problem(String wrong, String right) {
    reading.problems().add(file.problem(mapping.line(), path, wrong, right));
  }

  void warning(Key key, String sentence) {
    Node.Entry entry = mapping.entries().get(key.name());
    String place = file.path() + (entry == null ? "" : ":" + entry.line());
    reading.warnings().add(place + ": " + path(key) + ": " + sentence);
  }

  private String path(Key key) {
    return path.isEmpty() ? key.name() : path + "." + key.name();
  }

  private Node.Mapping submapping(Key key) {
    Node.Entry entry = mapping.entries().get(key.name());
    Node.Mapping sub = entry == null ? null : asMapping(entry, path(key));
    return sub == null ? Node.Mapping.NONE : sub;
  }

  /** The mapping in an entry, empty where nothing is written; null for anything else. */
  private Node.@Nullable Mapping asMapping(Node.Entry entry, String entryPath) {
    return switch (entry.value()) {
      // Of the line of its key, which is where a person looks.
      case Node.Mapping found -> new Node.Mapping(entry.line(), found.entries());
      case Node.Scalar(int line, String text, _) when text == null ->
          new Node.Mapping(entry.line(), Map.of());
      case Node.Scalar _, Node.Sequence _ -> {
        wrongKind(entry, entryPath, "keys and values");
        yield null;
      }
    };
  }

  private <T> @Nullable T scalar(Node node, int line, String nodePath, Format<T> format) {
    String raw = text(node, line, nodePath, format.name().replace("`", ""));
    if (raw == null) {
      return null;
    }
    try {
      return format.parse(reading.variables().expand(raw));
    } catch (FormatException wrong) {
      // As it was written: what a variable holds may be a secret.
      String shown = raw.length() > SHOWN ? raw.substring(0, SHOWN) + "..." : raw;
      reading
          .problems()
          .add(file.problem(line, nodePath, "'" + shown + "' " + wrong.wrong(), wrong.right()));
      return null;
    }
  }

  private @Nullable String secretText(Node node, int line, String nodePath) {
    String raw = text(node, line, nodePath, "text");
    if (raw == null) {
      return null;
    }
    try {
      return reading.variables().expand(raw);
    } catch (FormatException wrong) {
      reading
          .problems()
          .add(file.problem(line, nodePath, "the value " + wrong.wrong(), wrong.right()));
      return null;
    }
  }

  private @Nullable String text(Node node, int line, String nodePath, String expected) {
    if (node instanceof Node.Scalar(int scalarLine, String text, _) && text != null) {
      return text;
    }
    wrongKind(new Node.Entry(line, node), nodePath, expected);
    return null;
  }

  private void wrongKind(Node.Entry entry, String entryPath, String expected) {
    reading
        .problems()
        .add(
            file.problem(
                entry.line(), entryPath, "holds " + entry.value().kind(), "write " + expected));
  }

  private void checkKnown(String name, Node.Entry entry, Section section) {
    if (section.key(name) != null) {
      return;
    }
    String nearest = Nearest.to(name, section.names());
    reading
        .problems()
        .add(
            file.problem(
                entry.line(),
                path.isEmpty() ? name : path + "." + name,
                "unknown key",
                nearest != null
                    ? "did you mean " + nearest + "?"
                    : "known here: " + String.join(", ", section.names())));
  }
}
