package dev.callbound.testkit.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Header fields by name, case aside, each with its values in order. Not thread-safe. */
public final class HttpHeaders {
  private final Map<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /** Headers of names and values in turn, for messages written by hand. */
  public static HttpHeaders of(String... namesAndValues) {
    HttpHeaders headers = new HttpHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return headers;
  }

  public HttpHeaders add(String name, String value) {
    values.computeIfAbsent(name, ignored -> new ArrayList<>()).add(value);
    return this;
  }

  /** Replaces what was there under this name. */
  public HttpHeaders set(String name, String value) {
    values.put(name, new ArrayList<>(List.of(value)));
    return this;
  }

  /** Takes over all fields of the others, each replacing the one of its name. */
  public HttpHeaders setAll(HttpHeaders others) {
    others.values.forEach((name, list) -> values.put(name, new ArrayList<>(list)));
    return this;
  }

  /** The first value under this name; null if there is none. */
  public @Nullable String first(String name) {
    List<String> list = values.get(name);
    return list == null ? null : list.getFirst();
  }

  public List<String> all(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  public boolean contains(String name) {
    return values.containsKey(name);
  }

  /** Visits every name and value. */
  public void each(BiConsumer<String, String> visitor) {
    values.forEach((name, list) -> list.forEach(value -> visitor.accept(name, value)));
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
