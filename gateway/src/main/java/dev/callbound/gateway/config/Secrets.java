package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The secret values that this process knows, and how to take them out of a text before it is
 * logged, recorded or shown. Those of the config are known from the begin; others, such as
 * credentials that are fetched, are learned on the way. Thread-safe.
 */
public final class Secrets {
  /** What stands in a secret's place. */
  public static final String MASK = "***";

  /** A shorter value is a word, not a secret: taking it out would spoil texts and hide nothing. */
  static final int SHORTEST = 6;

  private final ReentrantLock lock = new ReentrantLock();
  private final List<String> configured;
  private final Map<String, List<String>> learned = new HashMap<>();

  /** All of them, the longest first, so that one that contains another is taken out whole. */
  private volatile List<String> values;

  private Secrets(Collection<String> configured) {
    this.configured = List.copyOf(configured);
    this.values = sorted(configured);
  }

  /** Knows the given values; those of fewer than six characters are left out. */
  public static Secrets of(Collection<String> values) {
    return new Secrets(values);
  }

  /**
   * Knows these from now on, in place of what was learned from there before. So who replaces a
   * secret names the old one along with the new, for as long as somebody may still quote it.
   *
   * @param source where they come from, such as a server's name
   */
  public void learn(String source, Collection<Secret> secrets) {
    lock.lock();
    try {
      learned.put(source, secrets.stream().flatMap(secret -> secret.spellings().stream()).toList());
      List<String> all = new ArrayList<>(configured);
      learned.values().forEach(all::addAll);
      values = sorted(all);
    } finally {
      lock.unlock();
    }
  }

  private static List<String> sorted(Collection<String> values) {
    return values.stream()
        .filter(value -> value.length() >= SHORTEST)
        .distinct()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
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
