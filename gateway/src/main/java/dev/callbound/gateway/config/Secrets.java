package dev.callbound.gateway.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The secret values that this process knows, and how to take them out of a text before it is
 * logged, recorded or shown. Immutable and thread-safe.
 */
public final class Secrets {
  /** What stands in a secret's place. */
  public static final String MASK = "***";

  /** No secrets: every text stays as it is. */
  public static final Secrets NONE = new Secrets(List.of());

  /** A shorter value is a word, not a secret: taking it out would spoil texts and hide nothing. */
  static final int SHORTEST = 6;

  private final List<String> values;

  private Secrets(List<String> values) {
    this.values = values;
  }

  /** Knows the given values; those of fewer than six characters are left out. */
  public static Secrets of(Collection<String> values) {
    // The longest first, so that a secret that contains another is taken out whole.
    return new Secrets(
        values.stream()
            .filter(value -> value.length() >= SHORTEST)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList());
  }

  /** The text, with every secret value in it replaced by {@code ***}. */
  public String redact(String text) {
    String redacted = text;
    for (String value : values) {
      redacted = redacted.replace(value, MASK);
    }
    return redacted;
  }

  /** How many values are known, never which. */
  @Override
  public String toString() {
    return "Secrets[" + values.size() + "]";
  }
}
