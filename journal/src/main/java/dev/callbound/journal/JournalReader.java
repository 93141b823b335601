package dev.callbound.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The half of the journal that only looks.
 *
 * <p>Thread-safe. What it returns is what is on disk: a record still in the queue is not seen.
 * Every method throws {@link JournalException} when the file can't be read. Limits are at least 1.
 */
public interface JournalReader extends AutoCloseable {
  /** The shortest beginning of an id that is looked up, its {@code r_} or {@code c_} included. */
  int SHORTEST_PREFIX = 6;

  /** A run by its id. */
  Optional<RunRecord> run(String id);

  /** A run by the name that its client gave it, in whatever state. */
  Optional<RunRecord> runNamed(String principal, String name);

  /** The newest runs in any of the states, newest first. */
  List<RunRecord> runs(Set<RunState> states, int limit);

  /**
   * What happened in a run, in order.
   *
   * @param after the number of the last event that is known already; zero for none
   */
  List<EventRecord> eventsOf(String run, long after, int limit);

  /** What a run is expected to bring about, in the order of the text. */
  List<OutputRecord> outputsOf(String run);

  /** Whether a call of the tool has ended ok within the run. */
  boolean hasEndedOk(String run, String server, String tool);

  /** How the calls of a run have ended so far. */
  OutcomeCounts outcomes(String run);

  /** A call by its id. */
  Optional<CallRecord> call(String id);

  /**
   * The newest calls of a run, in the order in which they were made. Without their arguments and
   * results, which can be large: {@link #call} brings them.
   */
  List<CallRecord> callsOf(String run, int limit);

  /** The attempts of a call, in order. */
  List<AttemptRecord> attemptsOf(String call);

  /**
   * The latest call of this key on which the answer to a repeat can depend: one that is open, is
   * unknown, or ended ok and has a step or a recognition. A stopped call is passed over, since a
   * call that did nothing, such as one that was not let in, must not hide an earlier one that may
   * have. Without its arguments and result.
   */
  Optional<CallRecord> latestOfKey(String key);

  /**
   * The latest call of a step to this tool that has not stopped. Without its arguments and result.
   */
  Optional<CallRecord> latestOfStep(String run, String step, String server, String tool);

  /**
   * When the first attempt with this key was made that may have reached the tool, of the calls that
   * {@link #latestOfKey} looks at.
   */
  Optional<Instant> firstSent(String key);

  /** The requests that an earlier call answered, in the order in which they came. */
  List<RepeatRecord> repeatsOf(String call);

  /** What a repeat of the call is to be answered with. */
  Optional<Replay> replay(String call);

  /** The arguments of a call that is open or unknown, as JSON, where they were kept. */
  Optional<String> resend(String call);

  /** What contradicts how the call was settled, in the order in which it came. */
  List<Divergence> divergencesOf(String call);

  /**
   * The newest unknown writes that the provider can be asked about, newest first, and without their
   * arguments and results.
   */
  List<CallRecord> unsettledCheckable(int limit);

  /**
   * The newest writes, of all runs, that may or may not have happened; newest first, and without
   * their arguments and results.
   */
  List<CallRecord> unknowns(int limit);

  /**
   * The ids of runs and calls that begin with the prefix, in order.
   *
   * @param prefix such as {@code c_01jd}; at least {@link #SHORTEST_PREFIX} characters
   * @throws IllegalArgumentException if it is shorter
   */
  List<String> idsBeginning(String prefix, int limit);

  /** Calls that go on without their client, and calls that wait for a person. */
  TaskReader tasks();

  /** What keeps calls from the servers, as it last changed. */
  List<CircuitRecord> circuits();

  /** The tools that each server has ever offered, by server. */
  Map<String, Set<String>> toolsSeen();

  @Override
  void close();
}
