package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.TaskRecord;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests about tasks: those of the extension of MCP 2026-07-28, and those of 2025-11-25. A
 * principal sees its own tasks only. Thread-safe.
 */
final class TaskMethods {
  private static final int ON_A_PAGE = 50;

  /** More tasks than this on one stream are not followed. */
  private static final int MOST_FOLLOWED = 1_000;

  private static final Set<String> OF_THE_EXTENSION =
      Set.of("tasks/get", "tasks/update", "tasks/cancel");
  private static final Set<String> OLDER =
      Set.of("tasks/get", "tasks/result", "tasks/list", "tasks/cancel");

  private final TaskBook book;
  private final Underway underway;
  private final EndedCalls ended;
  private final JournalStore journal;
  private final InstantSource clock;

  TaskMethods(
      TaskBook book,
      Underway underway,
      EndedCalls ended,
      JournalStore journal,
      InstantSource clock) {
    this.book = book;
    this.underway = underway;
    this.ended = ended;
    this.journal = journal;
    this.clock = clock;
  }

  /** Whether a client of the revision may ask this. */
  static boolean handles(Revision revision, String method) {
    return (revision.hasSessions() ? OLDER : OF_THE_EXTENSION).contains(method)
        && (!revision.hasSessions() || revision == Revision.V2025_11_25);
  }

  /** The error of a client that did not declare that it takes tasks. */
  static RpcError undeclared() {
    JsonObject extensions = JsonObject.of(Dialect.TASKS, JsonObject.EMPTY.toJson());
    return new RpcError(
        RpcError.MISSING_CAPABILITY,
        "Missing required client capability: " + Dialect.TASKS,
        JsonObject.of(
                "requiredCapabilities", JsonObject.of("extensions", extensions.toJson()).toJson())
            .toJson());
  }

  /** Answers a request that is {@link #handles handled} here. */
  void handle(Talk talk, Session session) {
    String method = talk.request().method();
    if (!session.revision().hasSessions() && !session.takesTasks()) {
      talk.fail(undeclared());
      return;
    }
    if (method.equals("tasks/list")) {
      list(talk, session);
      return;
    }
    String id = talk.request().params().text("taskId");
    Optional<TaskRecord> task = id == null ? Optional.empty() : book.task(session.principal(), id);
    if (task.isEmpty()) {
      talk.fail(
          RpcError.of(
              RpcError.INVALID_PARAMS,
              id == null
                  ? "params.taskId is missing"
                  : "there is no task " + id + ", or it has expired"));
      return;
    }
    switch (method) {
      case "tasks/get" -> get(talk, session, task.get());
      case "tasks/update" -> update(talk, task.get());
      case "tasks/cancel" -> cancel(talk, session, task.get());
      default -> result(talk, session, task.get());
    }
  }

  private void get(Talk talk, Session session, TaskRecord task) {
    Optional<TaskJson.State> state = book.state(task, session.revision());
    if (state.isEmpty()) {
      talk.fail(RpcError.of(RpcError.INVALID_PARAMS, "task " + task.call() + " has expired"));
    } else if (session.revision().hasSessions()) {
      talk.answer(TaskJson.older(state.get()).toJson());
    } else {
      complete(talk, TaskJson.detailed(state.get()));
    }
  }

  private static void complete(Talk talk, JsonObject result) {
    talk.answer(result.with("resultType", Json.text("complete")).toJson());
  }

  /** What nobody has asked, or has been answered, is passed over (the extension, task update). */
  private void update(Talk talk, TaskRecord task) {
    Json responses = talk.request().params().get("inputResponses");
    if (responses == null || !responses.isObject()) {
      talk.fail(RpcError.of(RpcError.INVALID_PARAMS, "params.inputResponses must be an object"));
      return;
    }
    OpenCall open = underway.find(task.call());
    if (open != null) {
      open.audience().give(responses.asObject().orElse(JsonObject.EMPTY));
    }
    complete(talk, JsonObject.EMPTY);
  }

  private void cancel(Talk talk, Session session, TaskRecord task) {
    boolean older = session.revision().hasSessions();
    if (older && isOver(task, session.revision())) {
      talk.fail(
          RpcError.of(
              RpcError.INVALID_PARAMS, "task " + task.call() + " is over and can't be cancelled"));
      return;
    }
    journal.tasks().cancelled(task.call(), clock.instant());
    OpenCall open = underway.find(task.call());
    if (open != null) {
      open.cancel();
    }
    if (older) {
      Optional<TaskJson.State> state =
          book.state(session.principal(), task.call(), session.revision());
      state.ifPresent(known -> talk.answer(TaskJson.older(known).toJson()));
    } else {
      complete(talk, JsonObject.EMPTY);
    }
    book.changed(task.call());
  }

  private boolean isOver(TaskRecord task, Revision revision) {
    return book.state(task, revision).filter(state -> state.status().isLast()).isPresent();
  }

  /** Waits for the end, and may be asked meanwhile what the server wants to know. */
  private void result(Talk talk, Session session, TaskRecord task) {
    talk.relateTo(task.call());
    OpenCall open = underway.find(task.call());
    if (open != null) {
      Stay stay = new Stay(null, Handle.AGAIN);
      switch (open.audience().join(session, talk, open.record().tool(), stay)) {
        case JOINED -> {
          return;
        }
        case FULL -> {
          talk.fail(RpcError.of(RpcError.INTERNAL_ERROR, "too many wait for it; come later"));
          return;
        }
        case ANSWERED -> {}
      }
    }
    Optional<CallRecord> call = journal.call(task.call());
    Ending ending = call.map(CallRecord::ending).orElse(null);
    if (call.isEmpty() || ending == null) {
      talk.fail(
          RpcError.of(
              RpcError.INTERNAL_ERROR, "the call is about to go on; ask again in a moment"));
      return;
    }
    switch (ended.answer(session.revision(), call.get(), ending)) {
      case EndedCalls.Answer.Result(Json result) -> talk.answer(result);
      case EndedCalls.Answer.Failed(RpcError error) -> talk.fail(error);
    }
  }

  private void list(Talk talk, Session session) {
    String cursor = talk.request().params().text("cursor");
    List<TaskRecord> page = book.tasks(session.principal(), cursor, ON_A_PAGE);
    List<Json> shown = new ArrayList<>();
    for (TaskRecord task : page) {
      if (book.isKept(task)) {
        book.state(task, session.revision())
            .ifPresent(state -> shown.add(TaskJson.older(state).toJson()));
      }
    }
    JsonObject result = JsonObject.of("tasks", Json.array(shown));
    @Nullable String next = page.size() < ON_A_PAGE ? null : page.getLast().call();
    talk.answer((next == null ? result : result.with("nextCursor", Json.text(next))).toJson());
  }

  /** A stream that begins hears at once how its tasks stand. */
  void tell(List<String> followed) {
    followed.forEach(book::changed);
  }

  /** The tasks that a stream asks about and may hear of; in the order asked. */
  List<String> followed(Session session, JsonObject notifications) {
    Json ids = notifications.get("taskIds");
    return ids == null
        ? List.of()
        : ids.elements().stream()
            .limit(MOST_FOLLOWED)
            .flatMap(id -> id.asText().stream())
            .filter(id -> book.task(session.principal(), id).isPresent())
            .distinct()
            .toList();
  }
}
