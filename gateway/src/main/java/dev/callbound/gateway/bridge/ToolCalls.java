package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.run.Runs;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * From {@code tools/call} to a call: which tool of which server is meant, in which run, whether it
 * is let in. What is let in, a {@link ToolCall} makes.
 */
final class ToolCalls {
  private static final System.Logger LOG = System.getLogger(ToolCalls.class.getName());

  private final Config config;
  private final Catalog catalog;
  private final Runs runs;
  private final JournalStore journal;
  private final Ids ids;
  private final InstantSource clock;
  private final Questions.Parked parked;
  private final Map<ToolConfig, Contents> kept = new ConcurrentHashMap<>();
  private final Set<Cancellation> open = ConcurrentHashMap.newKeySet();

  ToolCalls(
      Config config,
      Catalog catalog,
      Runs runs,
      JournalStore journal,
      Ids ids,
      InstantSource clock,
      Questions.Parked parked) {
    this.config = config;
    this.catalog = catalog;
    this.runs = runs;
    this.journal = journal;
    this.ids = ids;
    this.clock = clock;
    this.parked = parked;
  }

  /** The gateway stops: every call ends, and is recorded. */
  void cancelAll() {
    open.forEach(call -> call.cancel(Failure.Cancelled.By.SHUTDOWN));
  }

  /** Handles the request on this thread, to its end. */
  void handle(Talk talk, Session session, Bridge.Context context) {
    JsonObject params = talk.request().params();
    String complaint = ToolRequest.complaint(params);
    if (complaint != null) {
      talk.fail(RpcError.of(RpcError.INVALID_PARAMS, complaint));
      return;
    }
    ToolRequest request = ToolRequest.read(params, context);
    Catalog.Found found =
        catalog.tool(session.greeting().server(), request.name(), session.caller());
    switch (found) {
      case Catalog.Found.Missing(String message) ->
          talk.fail(RpcError.of(RpcError.INVALID_PARAMS, message));
      case Catalog.Found.At(ServerTools server, String tool, ServerTools.@Nullable Tool listed) ->
          checked(talk, session, context, request, server, tool, listed);
    }
  }

  /** Where headers mirror the arguments, both must say the same (MCP 2026-07-28). */
  private void checked(
      Talk talk,
      Session session,
      Bridge.Context context,
      ToolRequest request,
      ServerTools server,
      String tool,
      ServerTools.@Nullable Tool listed) {
    Map<String, String> headers = context.mirrored();
    String mismatch =
        headers == null || listed == null || session.revision().hasSessions()
            ? null
            : listed.schema().mirrored().mismatch(request.arguments(), headers);
    if (mismatch == null) {
      admit(talk, session, request, server, tool, listed);
    } else {
      talk.fail(RpcError.of(RpcError.HEADER_MISMATCH, mismatch));
    }
  }

  private void admit(
      Talk talk,
      Session session,
      ToolRequest request,
      ServerTools server,
      String tool,
      ServerTools.@Nullable Tool listed) {
    Run run;
    CallRecord record;
    ToolConfig bounds = server.config().tool(tool);
    Contents contents =
        kept.computeIfAbsent(bounds, of -> new Contents(of.record(), of.mask(), config.secrets()));
    try {
      Optional<Run> named = run(session, request);
      if (named.isEmpty()) {
        talk.fail(
            RpcError.of(
                RpcError.INVALID_PARAMS,
                "there is no run "
                    + request.run()
                    + "; open it with POST /v1/runs, or use a name"));
        return;
      }
      run = named.get();
      record = record(run, request, server, tool, listed, contents);
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.ERROR, "call=not_recorded sent=no {0}", e.getMessage());
      talk.fail(unrecorded("nothing was sent", e));
      return;
    }
    talk.refer(new Conversation.Reference(run.id(), record.id()));
    CallJournal leaves = new CallJournal(journal, record, contents, config.secrets(), clock);
    ToolCall call =
        new ToolCall(
            config.backoff(), server, tool, bounds, request, session, run, record, leaves, parked);
    open.add(call.cancellation());
    @Nullable Refusal refusal = refusal(session, run, request, server, tool, listed);
    try {
      leaves.opened();
      if (refusal == null) {
        call.make(talk, mirrored(request, listed));
        runs.used(run);
      } else {
        call.refuse(talk, refusal.reason(), refusal.detail());
      }
    } catch (JournalException e) {
      String sent = leaves.begun() ? "it may have been sent" : "nothing was sent";
      LOG.log(
          System.Logger.Level.ERROR,
          "call={0} recorded=no sent={1} {2}",
          record.id(),
          leaves.begun() ? "maybe" : "no",
          e.getMessage());
      call.talk(talk).fail(unrecorded(sent, e));
    } finally {
      open.remove(call.cancellation());
    }
  }

  private static RpcError unrecorded(String sent, JournalException e) {
    return new RpcError(
        RpcError.INTERNAL_ERROR,
        "the call could not be recorded, and " + sent + ": " + e.getMessage(),
        JsonObject.of("reason", Json.text("journal_" + e.kind().name().toLowerCase(Locale.ROOT)))
            .toJson());
  }

  private Optional<Run> run(Session session, ToolRequest request) {
    if (request.run() != null) {
      return runs.named(session.principal(), session.title(), request.run());
    }
    return Optional.of(
        session.revision().hasSessions()
            ? session.run(() -> runs.open(session.principal(), session.title(), null, null, null))
            : runs.unnamed(session.principal(), session.title()));
  }

  private CallRecord record(
      Run run,
      ToolRequest request,
      ServerTools server,
      String tool,
      ServerTools.@Nullable Tool listed,
      Contents contents) {
    Effects.Decided effect = listed == null ? server.effect(tool, null) : listed.effect();
    return new CallRecord(
        ids.call(),
        run.id(),
        request.step(),
        server.config().name(),
        tool,
        effect.effect(),
        effect.source(),
        Recognition.NONE,
        null,
        null,
        contents.digestOfArguments(request.arguments()),
        contents.kept(request.arguments()),
        clock.instant(),
        null,
        null);
  }

  private record Refusal(Reason.Stopped reason, String detail) {}

  /** Why a call is not let in; null when it is. Costs the server nothing, but for a fresh list. */
  private @Nullable Refusal refusal(
      Session session,
      Run run,
      ToolRequest request,
      ServerTools server,
      String tool,
      ServerTools.@Nullable Tool listed) {
    if (run.over() || run.deadline().atNanos() - System.nanoTime() <= 0) {
      String because = run.record().endedBecause();
      return new Refusal(
          Reason.Stopped.RUN_OVER,
          "the run is over: " + (because == null ? "its deadline passed" : because));
    }
    if (run.budget().limit() > 0 && run.budget().left() == 0) {
      return new Refusal(
          Reason.Stopped.RETRY_BUDGET_SPENT,
          "the run has used all of its " + run.budget().limit() + " retries");
    }
    String complaint = complaint(request.arguments(), listed);
    if (complaint != null) {
      // The tool may have changed since it was listed.
      complaint = complaint(request.arguments(), server.freshTool(tool, session.caller()));
    }
    return complaint == null ? null : new Refusal(Reason.Stopped.INVALID_ARGUMENTS, complaint);
  }

  private static @Nullable String complaint(Json arguments, ServerTools.@Nullable Tool listed) {
    return listed == null ? null : listed.schema().complaint(arguments);
  }

  private static Map<String, String> mirrored(
      ToolRequest request, ServerTools.@Nullable Tool listed) {
    return listed == null ? Map.of() : listed.schema().mirrored().values(request.arguments());
  }
}
