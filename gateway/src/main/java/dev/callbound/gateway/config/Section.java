package dev.callbound.gateway.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that may stand together in one mapping.
 *
 * @param title what the mapping is, as its path is written in the docs
 */
record Section(String title, List<Key> keys) {
  Section {
    keys = List.copyOf(keys);
  }

  List<String> names() {
    return keys.stream().map(Key::name).toList();
  }

  /** The key of this name; null if there is none. */
  @Nullable Key key(String name) {
    for (Key key : keys) {
      if (key.name().equals(name)) {
        return key;
      }
    }
    return null;
  }
}
