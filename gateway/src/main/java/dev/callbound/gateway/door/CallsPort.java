package dev.callbound.gateway.door;

import java.time.Duration;
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
   * @param detached when a client was told to come back for it; null where none was
   * @param approval how it waited for a person; null where it did not
   * @param attempt the attempt that is going on; null while none is
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
      @Nullable Settled settled,
      @Nullable Instant detached,
      @Nullable Approval approval,
      @Nullable OpenAttempt attempt) {}

  /**
   * What is seen of an attempt while it goes on, up to a few seconds ago: progress and other signs
   * of life, apart.
   *
   * @param lastProgress null while no progress was reported
   * @param lastSign when the last other sign of life came; null while none did
   * @param stuckSince when it was found to have made no progress for too long; null while it was
   *     not
   */
  record OpenAttempt(
      int number,
      Instant started,
      Duration age,
      int progressCount,
      @Nullable Instant lastProgress,
      int signsOfLife,
      @Nullable Instant lastSign,
      @Nullable Instant stuckSince) {}

  /**
   * How a call waited for a person.
   *
   * @param state {@code waiting}, {@code approved}, {@code denied} or {@code lapsed}
   * @param until when it is too late
   * @param arguments what is sent, as JSON; masked where {@code masked} says so
   * @param at when somebody ruled; null while it waits
   * @param who a name for people; null while it waits
   */
  record Approval(
      String state,
      Instant until,
      String arguments,
      boolean masked,
      @Nullable Instant at,
      @Nullable String who,
      @Nullable String note) {}

  /**
   * How an unknown call became known.
   *
   * @param by {@code late_answer}, {@code check}, {@code repeat}, {@code person} or {@code model}
   * @param was the reason for which it had been unknown
   */
  record Settled(Instant at, String by, String who, @Nullable String note, String was) {}

  /** What came of settling a call, or of ruling on one. */
  sealed interface Settling {
    /** It is so now, or was before. */
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

  /**
   * Rules on a call that waits for a person.
   *
   * @param approved whether it may be made
   * @param note why, in the caller's words; null for none
   * @return empty where the principal has no call of that id
   */
  Optional<Settling> rule(String principal, String id, boolean approved, @Nullable String note);
}
