package dev.callbound.gateway;

import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.run.Runs;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The runs as the door shows them to programs. Thread-safe. */
final class RunsForPrograms implements RunsPort {
  /** What is recorded as the client of a run that a program opened by itself. */
  private static final String CLIENT = "api";

  private final Runs runs;
  private final JournalStore journal;
  private final Duration longest;

  /**
   * @param longest how long a run may take at most: every deadline in the configuration lies within
   */
  RunsForPrograms(Runs runs, JournalStore journal, Duration longest) {
    this.runs = runs;
    this.journal = journal;
    this.longest = longest;
  }

  @Override
  public Opened open(Wish wish) {
    if (wish.deadline() != null && wish.deadline().compareTo(longest) > 0) {
      return new Opened.Refused(
          "deadline_too_long",
          "a run may take "
              + longest
              + " at most, not "
              + wish.deadline()
              + "; ask for less, or raise run.deadline in the config");
    }
    String name = wish.name();
    if (name != null) {
      Optional<RunRecord> taken = journal.runNamed(wish.principal(), name);
      if (taken.isPresent()) {
        return new Opened.Refused(
            "name_taken",
            "there is a run named %s already, %s, which is %s; choose another name"
                .formatted(name, taken.get().id(), taken.get().state().code()));
      }
    }
    return new Opened.Running(
        shown(runs.open(wish.principal(), CLIENT, name, wish.deadline(), wish.retries()).record()));
  }

  @Override
  public Optional<Run> find(String principal, String id) {
    return runs.record(principal, id).map(this::shown);
  }

  @Override
  public List<Run> list(String principal, int limit, @Nullable State state) {
    Set<RunState> states =
        state == null ? EnumSet.allOf(RunState.class) : EnumSet.of(recorded(state));
    return runs.list(principal, states, limit).stream().map(this::shown).toList();
  }

  @Override
  public Optional<Run> cancel(String principal, String id, @Nullable String reason) {
    if (runs.record(principal, id).isEmpty()) {
      return Optional.empty();
    }
    return runs.find(id)
        .map(
            run ->
                run.over()
                    ? run.record()
                    : runs.end(
                        run, RunState.CANCELLED, reason == null ? "it was cancelled" : reason))
        .map(this::shown);
  }

  private Run shown(RunRecord run) {
    return new Run(
        run.id(),
        run.name(),
        shown(run.state()),
        run.createdAt(),
        run.deadline(),
        run.retryLimit(),
        run.retriesUsed(),
        journal.outcomes(run.id()).total(),
        run.endedAt(),
        run.endedBecause());
  }

  private static State shown(RunState state) {
    return switch (state) {
      case RUNNING -> State.RUNNING;
      case DONE -> State.DONE;
      case STOPPED -> State.STOPPED;
      case CANCELLED -> State.CANCELLED;
      case EXPIRED -> State.EXPIRED;
      case UNKNOWN -> State.UNKNOWN;
    };
  }

  private static RunState recorded(State state) {
    return switch (state) {
      case RUNNING -> RunState.RUNNING;
      case DONE -> RunState.DONE;
      case STOPPED -> RunState.STOPPED;
      case CANCELLED -> RunState.CANCELLED;
      case EXPIRED -> RunState.EXPIRED;
      case UNKNOWN -> RunState.UNKNOWN;
    };
  }
}
