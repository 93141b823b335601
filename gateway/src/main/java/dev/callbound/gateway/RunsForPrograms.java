package dev.callbound.gateway;

import dev.callbound.gateway.config.Durations;
import dev.callbound.gateway.config.RunConfig;
import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.run.Expectations;
import dev.callbound.gateway.run.Outputs;
import dev.callbound.gateway.run.Runs;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.OpenedRun;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunRequest;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Money;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs as the door shows them to programs. Thread-safe. */
final class RunsForPrograms implements RunsPort {
  /** What is recorded as the client of a run that a program opened by itself. */
  private static final String CLIENT = "api";

  private final Runs runs;
  private final JournalStore journal;
  private final Expectations expectations;
  private final Outputs outputs;
  private final RunConfig bounds;

  /**
   * @param bounds what a run may ask for at most: every deadline in the configuration lies within
   */
  RunsForPrograms(
      Runs runs,
      JournalStore journal,
      Expectations expectations,
      Outputs outputs,
      RunConfig bounds) {
    this.runs = runs;
    this.journal = journal;
    this.expectations = expectations;
    this.outputs = outputs;
    this.bounds = bounds;
  }

  @Override
  public Opened open(Wish wish) {
    Money spend;
    try {
      spend = wish.spend() == null ? null : Money.parse(wish.spend());
    } catch (IllegalArgumentException e) {
      return new Opened.Invalid(
          "spend must be an amount such as 0.25, with six decimals at most: " + wish.spend());
    }
    Optional<Opened.Refused> tooMuch = tooMuch(wish.deadline(), spend);
    if (tooMuch.isPresent()) {
      return tooMuch.get();
    }
    Optional<String> complaint = expectations.complaint(wish.expected());
    if (complaint.isPresent()) {
      return new Opened.Invalid(complaint.get());
    }
    RunRequest request = new RunRequest(wish.key(), asked(wish, spend));
    OpenedRun opened =
        runs.request(
            wish.principal(),
            wish.client() == null ? CLIENT : wish.client(),
            wish.name(),
            wish.deadline(),
            wish.retries(),
            spend,
            request,
            wish.expected());
    Run run = shown(opened.run());
    return opened.isNew() ? new Opened.Running(run) : found(wish, request, opened, run);
  }

  private Optional<Opened.Refused> tooMuch(@Nullable Duration deadline, @Nullable Money spend) {
    if (deadline != null && deadline.compareTo(bounds.deadline()) > 0) {
      return Optional.of(
          new Opened.Refused(
              "deadline_too_long",
              "a run may take "
                  + Durations.format(bounds.deadline())
                  + " at most, not "
                  + Durations.format(deadline)
                  + "; ask for less, or raise run.deadline in the config"));
    }
    Money most = bounds.spend();
    if (spend != null && most != null && spend.compareTo(most) > 0) {
      return Optional.of(
          new Opened.Refused(
              "spend_too_high",
              "a run may spend "
                  + most
                  + " at most, not "
                  + spend
                  + "; ask for less, or raise run.spend in the config"));
    }
    return Optional.empty();
  }

  /** The same request finds its run; so does a name alone, which asks for nothing else. */
  private static Opened found(Wish wish, RunRequest request, OpenedRun opened, Run run) {
    RunRequest first = opened.request();
    boolean byKey = wish.key() != null && wish.key().equals(first.key());
    boolean asksForMore =
        wish.deadline() != null
            || wish.retries() != null
            || wish.spend() != null
            || !wish.expected().isEmpty();
    if (Objects.equals(request.asked(), first.asked()) || (!byKey && !asksForMore)) {
      return new Opened.Found(run);
    }
    return byKey
        ? new Opened.KeyReused(
            "this Idempotency-Key opened run %s with another body; send that one, or another key"
                .formatted(run.id()))
        : new Opened.Refused(
            "name_taken",
            "there is a run named %s already, %s, which is %s and was not opened with this body; choose another name"
                .formatted(run.name(), run.id(), run.state().code()));
  }

  /** What is asked for, written the same way where it is the same. */
  private static String asked(Wish wish, @Nullable Money spend) {
    Stream<String> wished =
        Stream.concat(
            wish.expected().stream(), spend == null ? Stream.of() : Stream.of("spend:" + spend));
    return Json.array(
            Stream.concat(Stream.of(wish.name(), wish.deadline(), wish.retries()), wished.sorted())
                .map(part -> part == null ? Json.NULL : Json.text(part.toString()))
                .toList())
        .toString();
  }

  @Override
  public Optional<Run> find(String principal, String id) {
    return runs.record(principal, id).map(this::shown);
  }

  @Override
  public Optional<Events> events(String principal, String id, long after, int most) {
    return runs.record(principal, id)
        .map(
            run -> {
              // Asked before the events are read: what is told last must be among them.
              boolean over = isOver(run);
              List<EventRecord> events = journal.eventsOf(id, after, most);
              return new Events(
                  events.stream().map(RunsForPrograms::shown).toList(),
                  over && events.size() < most);
            });
  }

  private boolean isOver(RunRecord run) {
    return switch (run.state()) {
      case RUNNING, UNKNOWN -> false;
      case DONE, STOPPED, CANCELLED, EXPIRED ->
          journal.outcomes(run.id()).open() == 0
              && journal.outputsOf(run.id()).stream().allMatch(OutputRecord::isFinal);
    };
  }

  private static Event shown(EventRecord event) {
    JsonObject data = JsonObject.EMPTY;
    for (Map.Entry<String, Object> entry : event.data().entrySet()) {
      Object value = entry.getValue();
      data =
          data.with(
              entry.getKey(),
              value instanceof Number number
                  ? Json.number(number.longValue())
                  : Json.text(value.toString()));
    }
    return new Event(event.number(), event.at(), event.kind().code(), data);
  }

  @Override
  public List<Run> list(String principal, int limit, @Nullable State state) {
    Set<RunState> states =
        state == null ? EnumSet.allOf(RunState.class) : EnumSet.of(recorded(state));
    return runs.list(principal, states, limit).stream().map(this::shown).toList();
  }

  @Override
  public Optional<Run> finish(String principal, String id, @Nullable String reason) {
    return end(principal, id, RunState.DONE, reason == null ? "it was finished" : reason);
  }

  @Override
  public Optional<Run> cancel(String principal, String id, @Nullable String reason) {
    return end(principal, id, RunState.CANCELLED, reason == null ? "it was cancelled" : reason);
  }

  private Optional<Run> end(String principal, String id, RunState state, String because) {
    if (runs.record(principal, id).isEmpty()) {
      return Optional.empty();
    }
    return runs.find(id)
        .map(
            run -> {
              RunRecord ended = run.over() ? run.record() : runs.end(run, state, because);
              outputs.wake();
              return ended;
            })
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
        run.spendLimit() == null ? null : run.spendLimit().toString(),
        run.spendsMoney() ? run.spent().toString() : null,
        journal.outcomes(run.id()).total(),
        run.endedAt(),
        run.endedBecause(),
        journal.outputsOf(run.id()).stream().map(RunsForPrograms::shown).toList());
  }

  private static Output shown(OutputRecord output) {
    return new Output(
        output.output(), output.there(), output.since(), output.detail(), output.isFinal());
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
