package dev.callbound.gateway.door;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls, as a door shows them to programs. A principal sees its own calls only. Thread-safe;
 * blocks for as long as the journal, or a check, takes.
 */
public interface CallsPort {
  /**
   * A call.
   *
   * @param step the client's name for it; null for none
   * @param effect {@code read} or {@code write}
   * @param key what a repeat of it is known by; null without one
   * @param status {@code open}, {@code ok}, {@code stopped} or {@code unknown}
   * @param reason why it did not end ok; null where it did, or has not ended
   * @param detail the same for people; empty where there is nothing to say
   * @param ended null while it is open
   * @param settled how it became known after it had been unknown; null where it never was, or is
   */
  record Call(
      String id,
      String run,
      @Nullable String step,
      String server,
      String tool,
      String effect,
      @Nullable String key,
      String status,
      @Nullable String reason,
      String detail,
      int attempts,
      Instant started,
      @Nullable Instant ended,
      @Nullable Settled settled) {}

  /**
   * How an unknown call became known.
   *
   * @param by {@code late_answer}, {@code check}, {@code repeat}, {@code person} or {@code model}
   * @param was the reason for which it had been unknown
   */
  record Settled(Instant at, String by, String who, @Nullable String note, String was) {}

  /** What came of settling. */
  sealed interface Settling {
    /** It is known now, or was before and in the same way. */
    record Done(Call call) implements Settling {}

    /**
     * Nothing changed.
     *
     * @param code a word for programs, such as {@code not_unknown}
     */
    record Refused(String code, String message) implements Settling {}
  }

  /** The call of that id; empty where the principal has none. */
  Optional<Call> find(String principal, String id);

  /**
   * Settles an unknown call.
   *
   * @param landed whether it took effect; null to ask the provider
   * @param note why, in the caller's words; null for none
   * @return empty where the principal has no call of that id
   */
  Optional<Settling> settle(
      String principal, String id, @Nullable Boolean landed, @Nullable String note);
}
