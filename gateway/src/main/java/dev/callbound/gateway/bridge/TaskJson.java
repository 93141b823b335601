package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.journal.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A task as clients get it: flat, with what it brings inside (MCP 2026-07-28, the extension
 * io.modelcontextprotocol/tasks), or as 2025-11-25 has it. Pure.
 */
final class TaskJson {
  /** The member of {@code _meta} that ties a message to a task (MCP 2025-11-25). */
  static final String RELATED = "io.modelcontextprotocol/related-task";

  /** What a model may be told while a task goes on (MCP 2025-11-25, provisional). */
  private static final String FOR_THE_MODEL = "io.modelcontextprotocol/model-immediate-response";

  /** How long a client is asked to wait before it looks again. */
  private static final Duration POLL = Duration.ofSeconds(2);

  private TaskJson() {}

  /** How a task stands. */
  enum Status {
    WORKING,
    INPUT_REQUIRED,
    COMPLETED,
    FAILED,
    CANCELLED;

    /** Whether it is so for good. */
    boolean isLast() {
      return switch (this) {
        case WORKING, INPUT_REQUIRED -> false;
        case COMPLETED, FAILED, CANCELLED -> true;
      };
    }

    String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A task at one moment.
   *
   * @param message the same for people
   * @param asks what it asks for; empty where it asks for nothing
   * @param answer what the call was answered with; null while it goes on
   */
  record State(
      TaskRecord task,
      Status status,
      String message,
      Instant updatedAt,
      JsonObject asks,
      EndedCalls.@Nullable Answer answer) {}

  /** The answer to a request of which a task was made (MCP 2026-07-28). */
  static Json created(State state) {
    return members(state, "ttlMs", "pollIntervalMs").with("resultType", Json.text("task")).toJson();
  }

  /** The whole state of a task (MCP 2026-07-28). */
  static JsonObject detailed(State state) {
    JsonObject task = members(state, "ttlMs", "pollIntervalMs");
    return switch (state.status()) {
      case WORKING, CANCELLED -> task;
      case INPUT_REQUIRED -> task.with("inputRequests", state.asks());
      case COMPLETED, FAILED ->
          switch (state.answer()) {
            case EndedCalls.Answer.Result(Json result) ->
                task.with(
                    "result", Translation.forClient(Revision.V2026_07_28, "tools/call", result));
            case EndedCalls.Answer.Failed(var error) -> task.with("error", error.toJson());
            case null ->
                throw new IllegalArgumentException("a task that is over has been answered");
          };
    };
  }

  /** The answer to a request that asked for a task (MCP 2025-11-25), which begins working. */
  static Json createdAsRequested(State state, String forTheModel) {
    String id = state.task().call();
    return JsonObject.of(
            "task", older(state).with("status", Json.text(Status.WORKING.code())).toJson())
        .with("_meta", related(JsonObject.EMPTY, id).with(FOR_THE_MODEL, Json.text(forTheModel)))
        .toJson();
  }

  /** A task without what it brings (MCP 2025-11-25). */
  static JsonObject older(State state) {
    return members(state, "ttl", "pollInterval");
  }

  /** The final result of a task (MCP 2025-11-25). */
  static Json result(Json result, String id) {
    JsonObject members = result.asObject().orElse(JsonObject.EMPTY);
    return members.with("_meta", related(members.object("_meta"), id)).toJson();
  }

  /** A {@code _meta} that ties its message to a task. */
  static JsonObject related(JsonObject meta, String id) {
    return meta.with(RELATED, JsonObject.of("taskId", Json.text(id)));
  }

  private static JsonObject members(State state, String ttl, String poll) {
    TaskRecord task = state.task();
    Duration kept = Duration.between(task.detachedAt(), task.keptUntil());
    return JsonObject.of("taskId", Json.text(task.call()))
        .with("status", Json.text(state.status().code()))
        .with("statusMessage", Json.text(state.message()))
        .with("createdAt", Json.text(task.detachedAt().toString()))
        .with("lastUpdatedAt", Json.text(state.updatedAt().toString()))
        .with(ttl, Json.number(kept.toMillis()))
        .with(poll, Json.number(POLL.toMillis()));
  }
}
