package dev.callbound.gateway.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The beginnings of ids that tell them apart within a list: what a person copies. Ids begin with
 * the time, to the millisecond, so what is unique in the list is hardly ever ambiguous beyond it;
 * and where it is, {@code show} says so.
 */
final class ShortIds {
  /** The prefix and the time. */
  private static final int SHORTEST = 12;

  private final Map<String, String> known = new HashMap<>();

  ShortIds(Collection<String> ids) {
    List<String> sorted = new ArrayList<>(ids.stream().distinct().sorted().toList());
    for (int i = 0; i < sorted.size(); i++) {
      String id = sorted.get(i);
      int shared = i == 0 ? 0 : shared(sorted.get(i - 1), id);
      shared = i == sorted.size() - 1 ? shared : Math.max(shared, shared(id, sorted.get(i + 1)));
      known.put(id, id.substring(0, Math.min(id.length(), Math.max(SHORTEST, shared + 1))));
    }
  }

  String of(String id) {
    return known.getOrDefault(id, id);
  }

  private static int shared(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      if (one.charAt(i) != other.charAt(i)) {
        return i;
      }
    }
    return length;
  }
}
