package dev.callbound.journal;

import dev.callbound.policy.Money;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The journal: what is remembered, and the order in which it becomes so.
 *
 * <pre>
 *   openCall → (beginAttempt → endAttempt)* → beginAttempt → endCall
 * </pre>
 *
 * <p>Records reach the disk in the order in which they were handed in, so an attempt that begins
 * {@link Durability#ON_DISK} takes along its call that was opened {@link Durability#SOON}. Once a
 * record of a call has been lost, later ones of the same call fail: a call is never recorded with a
 * hole in it. Such a call is ended like that of a dead process when the journal is next opened.
 *
 * <p>Thread-safe. Methods wait when more is handed in than the disk takes. They wait without
 * heeding interrupts, and leave the interrupt flag as it is: a cancelled call still records its
 * end. Every method that writes throws {@link JournalException} when the record can't be kept.
 */
public interface JournalStore extends JournalReader {
  /** What was found open when this journal was opened, and what became of it. */
  Recovery recovery();

  /**
   * Opens a run, or finds the one that the same principal opened under the same idempotency key,
   * else under the same name, in whatever state it is. On disk when it returns.
   *
   * @param run running, with no retries used
   * @param outputs what it is expected to bring about; kept if it is opened now
   */
  OpenedRun openRun(RunRecord run, RunRequest request, List<String> outputs);

  /** Opens a run that nobody asked for expressly, or finds the one of the same name. */
  default RunRecord openRun(RunRecord run) {
    return openRun(run, RunRequest.NONE, List.of()).run();
  }

  /** What of all runs is to be looked for: all that is expected and not seen to its end. */
  List<OutputRecord> outputsToLookFor(int limit);

  /**
   * Records, {@link Durability#SOON}, that something expected was looked for; unless that was seen
   * to its end before.
   */
  void outputSeen(OutputRecord output);

  /**
   * Ends a run, unless it has ended. It ends {@link RunState#UNKNOWN} if any of its calls did, and
   * becomes so if one does later; when the last of them is settled it becomes what it would have
   * been. On disk when it returns.
   *
   * @param state any but running and unknown
   * @param because one sentence for people
   * @return the run as it then stands
   */
  RunRecord endRun(String run, RunState state, String because, Instant at);

  /**
   * Lets no run that is running spend more than this. What it has spent already stays. On disk when
   * it returns.
   */
  void limitSpend(Money most);

  /**
   * Records a call that is about to be made. Its ending is null.
   *
   * @param resend the arguments as JSON, kept until it is certain how the call ended, so that it
   *     can go on after a crash and be asked about later; null where no repeat of it is recognised,
   *     or its arguments must not be kept
   */
  void openCall(CallRecord call, @Nullable String resend, Durability durability);

  /**
   * Records, {@link Durability#SOON}, what is seen of an attempt that is going on; nothing if it is
   * not.
   */
  void attemptSeen(String call, int number, Pulse pulse);

  /** Records an attempt that is about to be made. Its end is null. */
  void beginAttempt(String call, AttemptRecord attempt, Durability durability);

  /** Records how an attempt ended of a call that goes on. */
  void endAttempt(String call, int number, AttemptEnd end, Durability durability);

  /**
   * Records how a call ended: once. Forgets what was kept for sending it again, unless it ends
   * unknown and a repeat of it is recognised.
   *
   * @param last the end of its last attempt, recorded with it, so that there is never the one
   *     without the other; null where that has been recorded, or no attempt was made
   * @param replay what those are to be answered with who repeat the call or come back for it; null
   *     when that is not kept
   */
  void endCall(
      String call,
      @Nullable LastAttempt last,
      Ending ending,
      @Nullable Replay replay,
      Durability durability);

  /** As the other, for a call whose attempts, if there were any, are all recorded. */
  default void endCall(String call, Ending ending, @Nullable Replay replay, Durability durability) {
    endCall(call, null, ending, replay, durability);
  }

  /**
   * Turns an unknown call into one that is known, unless it is so already: whoever comes first is
   * believed, from whatever process. On disk when it returns.
   *
   * <p>The unknown calls that follow it, or that it follows, meant the same and are settled with
   * it. Not, however, by a late answer that the tool failed, which is the answer to one of them,
   * nor by a check that found nothing, where the other one has a later attempt.
   */
  SettleResult settle(Settling settling);

  /**
   * Records, {@link Durability#SOON}, a request that made no call of its own. Of the repeats of one
   * call the first 1,000 are kept.
   */
  void repeated(RepeatRecord repeat);

  /** As {@link JournalReader#latestOfKey}, but sees what is still in the queue. */
  @Override
  Optional<CallRecord> latestOfKey(String key);

  /** As {@link JournalReader#latestOfStep}, but sees what is still in the queue. */
  @Override
  Optional<CallRecord> latestOfStep(String run, String step, String server, String tool);

  /**
   * Remembers that a server offers these tools. Tools are never forgotten. On disk when it returns.
   */
  void rememberTools(String server, Collection<String> tools);

  /** What is remembered of the servers themselves. */
  ServerStore servers();

  /** Remembers a process, before anything is asked of it. On disk when it returns. */
  void processStarted(ChildProcess process);

  /** Forgets a process that has ended. */
  void processEnded(long pid);

  /** The processes that were started and not seen to end, by this process or an earlier one. */
  List<ChildProcess> processesLeft();

  /**
   * Forgets the calls that ended before then, or were settled before then if they had been unknown,
   * with all that belongs to them, and the runs that ended before then and have no calls left; and
   * the circuits that have neither changed nor kept anybody out since. An unknown call, its run and
   * a running run are never forgotten. Done in small parts, between which other records are
   * written; returns when all is done.
   */
  Purged purge(Instant endedBefore);

  @Override
  TaskStore tasks();

  /** How it is doing. */
  Health health();

  /**
   * Leaves word for other programs on this machine where the writer of this journal is reached, for
   * as long as it has it open.
   *
   * @param url one line
   */
  void announce(String url);

  /** Writes what is in the queue, and gives up the file. */
  @Override
  void close();
}
