package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
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

  /** How many sets of secrets are known from one source. A server seldom quotes an older one. */
  static final int MOST_SETS = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final List<String> configured;

  /** The sets by their source, the one learned last at the end. */
  private final Map<String, LinkedHashSet<List<String>>> learned = new HashMap<>();

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
   * Knows these from now on, beside the sets that were learned from there before: an old secret may
   * still be quoted. Of more than {@value #MOST_SETS} the one that was learned longest ago is
   * forgotten.
   *
   * @param source where they come from, such as a server's name
   */
  public void learn(String source, Collection<Secret> secrets) {
    lock.lock();
    try {
      LinkedHashSet<List<String>> sets =
          learned.computeIfAbsent(source, _ -> new LinkedHashSet<>());
      sets.addLast(secrets.stream().flatMap(secret -> secret.spellings().stream()).toList());
      if (sets.size() > MOST_SETS) {
        sets.removeFirst();
      }
      List<String> all = new ArrayList<>(configured);
      learned.values().forEach(known -> known.forEach(all::addAll));
      values = sorted(all);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Those of the config alone, which stay the same: for what is compared later, and must not read
   * otherwise then because something was learned meanwhile.
   */
  public Secrets configured() {
    return new Secrets(configured);
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
