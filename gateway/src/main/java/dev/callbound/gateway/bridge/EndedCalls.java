package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.Replay;
import dev.callbound.journal.TaskRecord;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What a client is told that comes back for a call which has ended: always from the record, so that
 * it is the same today, after a restart, and for whoever asks. Thread-safe.
 */
final class EndedCalls {
  private final JournalReader journal;
  private final Catalog catalog;
  private final InstantSource clock;
  private final boolean modelSettles;

  EndedCalls(JournalReader journal, Catalog catalog, InstantSource clock, boolean modelSettles) {
    this.journal = journal;
    this.catalog = catalog;
    this.clock = clock;
    this.modelSettles = modelSettles;
  }

  /** What a call was answered with. */
  sealed interface Answer {
    /** A result: the tool's own, or ours about how the call ended. */
    record Result(Json result) implements Answer {}

    /** An error of the server's that is for the client's protocol layer. */
    record Failed(RpcError error) implements Answer {}
  }

  /** What a call was answered with that ended so. */
  Answer answer(Revision revision, CallRecord call, Ending ending) {
    Optional<Replay> kept =
        ending.status() == Ending.Status.UNKNOWN ? Optional.empty() : journal.replay(call.id());
    if (kept.isPresent()) {
      Json result = Json.of(kept.get().result());
      return new Answer.Result(kept.get().masked() ? ComingBack.masked(result, call) : result);
    }
    return switch (ending.reason()) {
      case null ->
          new Answer.Result(
              ComingBack.withoutResult(call, Duration.between(ending.endedAt(), clock.instant())));
      case Reason.Stopped reason ->
          journal
              .tasks()
              .task(call.id())
              .map(TaskRecord::error)
              .<Answer>map(error -> new Answer.Failed(RpcError.read(Json.of(error))))
              .orElseGet(
                  () ->
                      new Answer.Result(
                          Answers.stopped(revision, reason, ending.detail(), facts(call, ending))));
      case Reason.Unknown reason ->
          new Answer.Result(
              Answers.unknown(revision, reason, ending.detail(), facts(call, ending)));
    };
  }

  private Answers.Facts facts(CallRecord call, Ending ending) {
    ServerTools server = catalog.server(call.server());
    ToolConfig bounds = server == null ? ToolConfig.standard() : server.bounds(call.tool());
    return new Answers.Facts(
        call.tool(),
        call.effect() == Effect.WRITE,
        ending.attempts(),
        bounds.deadline(),
        Duration.between(call.startedAt(), ending.endedAt()),
        call.run(),
        call.id(),
        call.key(),
        Answers.Settles.of(call.recognition(), modelSettles),
        null);
  }
}
