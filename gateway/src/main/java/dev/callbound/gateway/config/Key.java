package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One key of the file: its name, the form of its value, its default and one line of help. */
sealed interface Key {
  String name();

  /** One sentence, in Markdown. */
  String help();

  /**
   * A key with one value.
   *
   * @param defaultText the default: as the file would write it, or, where it depends on something,
   *     in words
   * @param standard the default as a value; null where it depends on something or the key must be
   *     written
   */
  record Value<T>(
      String name, Format<T> format, String defaultText, @Nullable T standard, String help)
      implements Key {
    /** With a default, written as in the file. */
    static <T> Value<T> of(String name, Format<T> format, String standard, String help) {
      return new Value<>(name, format, standard, parse(format, standard), help);
    }

    /** With a default that depends on something, said in words. */
    static <T> Value<T> open(String name, Format<T> format, String words, String help) {
      return new Value<>(name, format, words, null, help);
    }

    /** The default, of a key that has one as a value. */
    T required() {
      return Objects.requireNonNull(standard, name);
    }
  }

  /** A key with a list of values; for the defaults see {@link Value}. */
  record Values<T>(
      String name, Format<T> format, String defaultText, @Nullable List<T> standard, String help)
      implements Key {
    static <T> Values<T> of(String name, Format<T> format, List<String> standard, String help) {
      List<T> values = new ArrayList<>();
      standard.forEach(text -> values.add(parse(format, text)));
      return new Values<>(name, format, String.join(", ", standard), List.copyOf(values), help);
    }

    static <T> Values<T> open(String name, Format<T> format, String words, String help) {
      return new Values<>(name, format, words, null, help);
    }

    /** The default, of a key that has one as a value. */
    List<T> required() {
      return Objects.requireNonNull(standard, name);
    }
  }

  /** A key with a mapping of names to secret texts. */
  record Pairs(String name, String help) implements Key {}

  /** A key with a mapping of known keys. */
  record Part(String name, Section section, String help) implements Key {}

  /**
   * A key with a mapping of known keys, or one word in its place.
   *
   * @param word what may be written instead
   */
  record PartOrWord(String name, String word, Section section, String standard, String help)
      implements Key {}

  /** A key with a mapping of free names to values of any kind, as JSON knows them. */
  record Tree(String name, Format<String> texts, String help) implements Key {}

  /** A key with a mapping of free names to mappings of known keys. */
  record Parts(String name, Section section, String help) implements Key {}

  /** A key with a list of mappings of known keys. */
  record Entries(String name, Section section, String help) implements Key {}

  private static <T> T parse(Format<T> format, String text) {
    try {
      return Objects.requireNonNull(format.parse(text));
    } catch (FormatException wrong) {
      throw new IllegalArgumentException("default " + text + " " + wrong.getMessage(), wrong);
    }
  }
}
