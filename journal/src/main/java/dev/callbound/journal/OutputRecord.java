package dev.callbound.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that a run is expected to bring about, and whether it has.
 *
 * @param output what it is, as it was asked for
 * @param there whether it was there when it was last looked for
 * @param since from when on that is so, in whole milliseconds
 * @param detail why it does not count as there; null when it does, or was not looked for yet
 * @param isFinal whether it was looked for after the run and its calls were over
 */
public record OutputRecord(
    String run,
    String output,
    boolean there,
    Instant since,
    @Nullable String detail,
    boolean isFinal) {
  public OutputRecord {
    since = Check.millis(since);
  }

  /**
   * The same, looked for again.
   *
   * @param missing why it does not count as there; null when it does
   */
  public OutputRecord seen(@Nullable String missing, Instant at, boolean last) {
    boolean now = missing == null;
    return new OutputRecord(run, output, now, now == there ? since : at, missing, last);
  }
}
