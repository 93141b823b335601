package dev.callbound.gateway.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of a parsed file, with the line on which it begins. */
sealed interface Node {
  int line();

  /** What it is called in an error. */
  String kind();

  /**
   * A text, a number or a truth value, as it was written.
   *
   * @param text null where nothing was written
   * @param literal whether it is a number or a truth value, and not a text that looks like one
   */
  record Scalar(int line, @Nullable String text, boolean literal) implements Node {
    /** Nothing, where there could be something. */
    static Scalar nothing(int line) {
      return new Scalar(line, null, false);
    }

    @Override
    public String kind() {
      return text == null ? "nothing" : "a single value";
    }
  }

  /** A list. */
  record Sequence(int line, List<Node> items) implements Node {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Keys and their values, in the order of the file. */
  record Mapping(int line, Map<String, Entry> entries) implements Node {
    /** A mapping that nobody wrote. */
    static final Mapping NONE = new Mapping(0, Map.of());

    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    @Override
    public String kind() {
      return "a mapping";
    }
  }

  /**
   * A value under a key.
   *
   * @param line the line of the key
   */
  record Entry(int line, Node value) {}
}
