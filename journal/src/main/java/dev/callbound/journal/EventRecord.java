package dev.callbound.journal;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that happened in a run. Recorded in the same transaction as the change that it tells
 * of, whoever makes that, and never changed afterwards.
 *
 * @param number from 1, without a gap within the run
 * @param at when it happened, in whole milliseconds; numbers, not times, give the order
 * @param data what is known of it, by the names of the record and in their order: texts and whole
 *     numbers
 */
public record EventRecord(long number, Instant at, EventKind kind, Map<String, Object> data) {
  public EventRecord {
    if (number < 1) {
      throw new IllegalArgumentException("number must be at least 1: " + number);
    }
    at = Check.millis(at);
    data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
  }
}
