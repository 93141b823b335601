package dev.callbound.journal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * The journal: what is remembered, and the order in which it becomes so.
 *
 * <pre>
 *   openCall → (beginAttempt → endAttempt)* → endCall
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
  /** What was found open, and ended, when this journal was opened. */
  Recovery recovery();

  /**
   * Opens a run, or finds the one of the same principal and name, in whatever state it is. On disk
   * when it returns.
   *
   * @param run running, with no retries used
   * @return the run as it stands in the journal
   */
  RunRecord openRun(RunRecord run);

  /**
   * Ends a run, unless it has ended. It ends {@link RunState#UNKNOWN} if any of its calls did, and
   * becomes so if one does later. On disk when it returns.
   *
   * @param state any but running
   * @param because one sentence for people
   * @return the run as it then stands
   */
  RunRecord endRun(String run, RunState state, String because, Instant at);

  /** Records a call that is about to be made. Its ending is null. */
  void openCall(CallRecord call, Durability durability);

  /** Records an attempt that is about to be made. Its end is null. */
  void beginAttempt(String call, AttemptRecord attempt, Durability durability);

  /** Records how an attempt ended. */
  void endAttempt(String call, int number, AttemptEnd end, Durability durability);

  /** Records how a call ended: once. */
  void endCall(String call, Ending ending, Durability durability);

  /**
   * Remembers that a server offers these tools. Tools are never forgotten. On disk when it returns.
   */
  void rememberTools(String server, Collection<String> tools);

  /** Remembers a process, before anything is asked of it. On disk when it returns. */
  void processStarted(ChildProcess process);

  /** Forgets a process that has ended. */
  void processEnded(long pid);

  /** The processes that were started and not seen to end, by this process or an earlier one. */
  List<ChildProcess> processesLeft();

  /**
   * Forgets the calls that ended before then, with their attempts, and the runs that ended before
   * then and have no calls left. An unknown call, its run and a running run are never forgotten.
   * Done in small parts, between which other records are written; returns when all is done.
   */
  Purged purge(Instant endedBefore);

  /** How it is doing. */
  Health health();

  /** Writes what is in the queue, and gives up the file. */
  @Override
  void close();
}
