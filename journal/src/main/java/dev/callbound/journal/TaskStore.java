package dev.callbound.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of calls that go on without their client, and of those that wait for a person.
 * Holds what {@link JournalStore} says of itself. On disk when a method returns, unless it says
 * otherwise.
 */
public interface TaskStore extends TaskReader {
  /**
   * Records that a client has been told, or is about to be, to come back for a call. The first time
   * counts.
   *
   * @param keptUntil until when it can be asked for
   * @param resend see {@link JournalStore#openCall}; kept from now on where the call is still open
   *     and it was not kept before. Null where it must not be
   * @throws JournalException if there is no such call, too
   */
  void detach(String call, Instant at, Instant keptUntil, @Nullable String resend);

  /**
   * Records that a call waits for a person, and so has been detached.
   *
   * @param asked without a ruling
   * @param keptUntil as for {@link #detach}
   * @param resend as for {@link #detach}
   */
  void ask(ApprovalRecord asked, Instant keptUntil, @Nullable String resend);

  /** Gives a ruling on a call that waits for one. The first that is given stands. */
  Ruling.Result rule(String call, Ruling ruling);

  /** Records that a client took its task back. The first time counts. */
  void cancelled(String call, Instant at);

  /** Records, {@link Durability#SOON}, the error that the server gave for an answer. */
  void failed(String call, String error);

  /**
   * Forgets the tasks that nobody can ask for any more, with the results that were kept for them
   * alone. Their calls stay.
   *
   * @return how many
   */
  int forget(Instant keptBefore);
}
