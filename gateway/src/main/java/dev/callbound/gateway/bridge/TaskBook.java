package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.TaskRecord;
import dev.callbound.policy.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls that clients come back for: lets clients go, finds the calls again, says how they
 * stand. What has ended is told from the journal, so that a restart changes nothing about it.
 * Thread-safe.
 */
final class TaskBook implements Handles {
  private static final System.Logger LOG = System.getLogger(TaskBook.class.getName());

  /** How long after the end of its run a task can still be asked for. */
  static final Duration KEPT = Duration.ofHours(24);

  private final JournalStore journal;
  private final Underway underway;
  private final EndedCalls ended;
  private final Catalog catalog;
  private final Hub hub;
  private final InstantSource clock;

  TaskBook(
      JournalStore journal,
      Underway underway,
      EndedCalls ended,
      Catalog catalog,
      Hub hub,
      InstantSource clock) {
    this.journal = journal;
    this.underway = underway;
    this.ended = ended;
    this.catalog = catalog;
    this.hub = hub;
    this.clock = clock;
  }

  /** Until when a call of this run can be asked for. */
  static Instant keptUntil(RunRecord run) {
    return run.deadline().plus(KEPT);
  }

  @Override
  public @Nullable Json handOut(
      Conversation.Reference call, Session session, Handle handle, String name) {
    OpenCall open = underway.find(call.call());
    return switch (handle) {
      case TASK -> open == null || !open.detach() ? null : created(call, session);
      case REQUESTED_TASK -> {
        boolean kept = open == null ? detachEnded(call) : open.detach();
        if (kept) {
          hub.follow(session, call.call());
        }
        yield kept ? requested(call, session, name) : null;
      }
      case CALL ->
          open == null || !open.detach()
              ? null
              : Audience.translated(
                  session,
                  ComingBack.detached(name, call, open.standing(), isStructured(open.record())));
      case AGAIN ->
          open == null || !open.detach()
              ? null
              : Audience.translated(session, ComingBack.working(open.record(), open.standing()));
    };
  }

  private @Nullable Json created(Conversation.Reference call, Session session) {
    return state(session.principal(), call.call(), session.revision())
        .map(TaskJson::created)
        .orElse(null);
  }

  private @Nullable Json requested(Conversation.Reference call, Session session, String name) {
    String forTheModel =
        "%s goes on as task %s. Do other work until its result comes; do not call it again for it."
            .formatted(name, call.call());
    return state(session.principal(), call.call(), session.revision())
        .map(state -> TaskJson.createdAsRequested(state, forTheModel))
        .orElse(null);
  }

  /** A client that asked for a task gets one, also where there is nothing left to wait for. */
  private boolean detachEnded(Conversation.Reference call) {
    try {
      Optional<RunRecord> run = journal.run(call.run());
      run.ifPresent(
          known -> journal.tasks().detach(call.call(), clock.instant(), keptUntil(known), null));
      return run.isPresent();
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.WARNING, "call={0} detached=no {1}", call.call(), e.getMessage());
      return false;
    }
  }

  private boolean isStructured(CallRecord call) {
    ServerTools server = catalog.server(call.server());
    Json listed = server == null ? null : server.lastListed(call.tool());
    return listed != null && listed.at("outputSchema") != null;
  }

  /** A task of the principal's; empty where it has none of this id, or it is not kept any more. */
  Optional<TaskRecord> task(String principal, String id) {
    return journal
        .tasks()
        .task(id)
        .filter(task -> task.principal().equals(principal))
        .filter(this::isKept);
  }

  /** Whether a task can still be asked for. */
  boolean isKept(TaskRecord task) {
    return task.keptUntil().isAfter(clock.instant());
  }

  /**
   * The principal's tasks, also those that can't be asked for any more.
   *
   * @param after the one that it has seen last; null to begin
   */
  List<TaskRecord> tasks(String principal, @Nullable String after, int limit) {
    return journal.tasks().tasks(principal, after, limit);
  }

  /** How a task of the principal's stands, for a client of the revision. */
  Optional<TaskJson.State> state(String principal, String id, Revision revision) {
    return task(principal, id).flatMap(task -> state(task, revision));
  }

  /** How a task stands; empty only where its call has just been forgotten. */
  Optional<TaskJson.State> state(TaskRecord task, Revision revision) {
    // Asked for first: a call that is not under way any more has its end in the journal.
    OpenCall open = underway.find(task.call());
    return journal
        .call(task.call())
        .map(
            call -> {
              Ending ending = call.ending();
              return ending == null
                  ? goingOn(task, open, revision)
                  : over(task, call, ending, revision);
            });
  }

  private TaskJson.State goingOn(TaskRecord task, @Nullable OpenCall open, Revision revision) {
    JsonObject asks = open == null ? JsonObject.EMPTY : open.audience().questions();
    Standing standing = open == null ? null : open.standing();
    Duration progress = standing == null ? null : standing.lastProgress();
    Instant cancelled = revision.hasSessions() ? task.cancelledAt() : null;
    TaskJson.Status status =
        cancelled != null
            ? TaskJson.Status.CANCELLED
            : asks.isEmpty() ? TaskJson.Status.WORKING : TaskJson.Status.INPUT_REQUIRED;
    return new TaskJson.State(
        task,
        status,
        message(status, standing),
        cancelled != null
            ? cancelled
            : progress == null ? task.detachedAt() : clock.instant().minus(progress),
        asks,
        null);
  }

  private static String message(TaskJson.Status status, @Nullable Standing standing) {
    if (status == TaskJson.Status.CANCELLED) {
      return "its client took it back";
    }
    String text = standing == null ? "it is about to go on" : standing.text();
    return status == TaskJson.Status.INPUT_REQUIRED ? "the server asks something; " + text : text;
  }

  private TaskJson.State over(TaskRecord task, CallRecord call, Ending ending, Revision revision) {
    return new TaskJson.State(
        task,
        revision.hasSessions() ? olderStatus(task, ending) : status(task, ending),
        ending.detail().isEmpty() ? "it ended well" : ending.detail(),
        call.settled() == null ? ending.endedAt() : call.settled().at(),
        JsonObject.EMPTY,
        revision.hasSessions() ? null : ended.answer(revision, call, ending));
  }

  /** An error result completes a task; only an error of the protocol fails it (the extension). */
  private static TaskJson.Status status(TaskRecord task, Ending ending) {
    if (ending.status() == Ending.Status.STOPPED && task.error() != null) {
      return TaskJson.Status.FAILED;
    }
    return ending.reason() == Reason.Stopped.CANCELLED
        ? TaskJson.Status.CANCELLED
        : TaskJson.Status.COMPLETED;
  }

  /** A cancelled task stays so whatever came of it; an error result fails it (MCP 2025-11-25). */
  private static TaskJson.Status olderStatus(TaskRecord task, Ending ending) {
    if (task.cancelledAt() != null || ending.reason() == Reason.Stopped.CANCELLED) {
      return TaskJson.Status.CANCELLED;
    }
    return ending.status() == Ending.Status.OK ? TaskJson.Status.COMPLETED : TaskJson.Status.FAILED;
  }

  /** Something about a call has changed: whoever follows its task hears of it. */
  void changed(String call) {
    if (!hub.isFollowed(call)) {
      return;
    }
    try {
      Optional<TaskRecord> task = journal.tasks().task(call);
      if (task.isPresent()) {
        state(task.get(), Revision.V2026_07_28).ifPresent(hub::tellStreams);
        state(task.get(), Revision.V2025_11_25).ifPresent(hub::tellSessions);
      }
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.WARNING, "task={0} told=no {1}", call, e.getMessage());
    }
  }
}
