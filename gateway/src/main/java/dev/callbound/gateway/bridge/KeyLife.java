package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.journal.JournalReader;
import dev.callbound.policy.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** How long a provider remembers a key: counted from the first attempt that may have run. */
final class KeyLife {
  private KeyLife() {}

  /** When the provider forgets the key, where it was not sent yet from now on; null for never. */
  static @Nullable Deadline until(
      Recognise recognise, String key, JournalReader journal, InstantSource clock) {
    if (!(recognise instanceof Recognise.ByKey(_, _, Duration expires)) || expires == null) {
      return null;
    }
    Instant now = clock.instant();
    Instant from = journal.firstSent(key).orElse(now);
    return new Deadline(System.nanoTime() + Duration.between(now, from.plus(expires)).toNanos());
  }
}
