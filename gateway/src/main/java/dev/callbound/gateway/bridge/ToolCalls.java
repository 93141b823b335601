package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.Recognise;
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
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Intent;
import dev.callbound.policy.Past;
import dev.callbound.policy.Reason;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * From {@code tools/call} to a call: which tool of which server is meant, in which run, whether it
 * was meant before, whether it is let in. What is let in, a {@link ToolCall} makes.
 */
final class ToolCalls implements Repeats.Making {
  private static final System.Logger LOG = System.getLogger(ToolCalls.class.getName());

  private final Config config;
  private final Catalog catalog;
  private final Runs runs;
  private final JournalStore journal;
  private final Ids ids;
  private final InstantSource clock;
  private final Questions.Parked parked;
  private final ContentsByTool contents;
  private final Settler settler;
  private final Vigil vigil;
  private final Repeats repeats;
  private final Underway underway;
  private final TaskBook tasks;
  private final Approvals approvals;

  ToolCalls(
      Config config,
      Catalog catalog,
      Runs runs,
      JournalStore journal,
      Ids ids,
      InstantSource clock,
      Questions.Parked parked,
      ContentsByTool contents,
      Settler settler,
      Vigil vigil,
      Flights flights,
      Underway underway,
      TaskBook tasks,
      Approvals approvals) {
    this.config = config;
    this.catalog = catalog;
    this.runs = runs;
    this.journal = journal;
    this.ids = ids;
    this.clock = clock;
    this.parked = parked;
    this.contents = contents;
    this.settler = settler;
    this.vigil = vigil;
    this.underway = underway;
    this.tasks = tasks;
    this.approvals = approvals;
    this.repeats = new Repeats(journal, clock, flights, parked, tasks, config.settleByModel());
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
      understood(talk, session, request, server, tool, listed);
    } else {
      talk.fail(RpcError.of(RpcError.HEADER_MISMATCH, mismatch));
    }
  }

  private void understood(
      Talk talk,
      Session session,
      ToolRequest request,
      ServerTools server,
      String tool,
      ServerTools.@Nullable Tool listed) {
    ToolConfig bounds = server.bounds(tool);
    Contents kept = contents.of(bounds);
    Effects.Decided effect = listed == null ? server.effect(tool, null) : listed.effect();
    JsonObject params =
        Carried.withoutKey(
            request.forServer(tool, session.logLevel()),
            effect.effect() == Effect.READ ? new Recognise.Nothing() : bounds.recognise());
    Optional<Run> run;
    try {
      run = run(session, request);
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.ERROR, "call=not_recorded sent=no {0}", e.getMessage());
      talk.fail(Unrecorded.error("nothing was sent", e));
      return;
    }
    if (run.isEmpty()) {
      talk.fail(
          RpcError.of(
              RpcError.INVALID_PARAMS,
              "there is no run " + request.run() + "; open it with POST /v1/runs, or use a name"));
      return;
    }
    Json arguments = params.get("arguments");
    admit(
        new Asked(
            talk,
            session,
            request,
            server,
            tool,
            listed,
            bounds,
            effect,
            kept,
            run.get(),
            params,
            kept.digestOfArguments(arguments == null ? JsonObject.EMPTY.toJson() : arguments)));
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

  /** Reading twice is harmless: a read is only a repeat where its client says so by a step. */
  private void admit(Asked asked) {
    String step = asked.request().step();
    if (asked.effect().effect() == Effect.READ && step == null) {
      Audience audience = new Audience(parked, tasks);
      audience.join(asked.session(), asked.talk(), asked.request().name(), asked.stay());
      make(asked, ids.call(), null, audience, null, Past.NOTHING, null);
      return;
    }
    Intent intent =
        Intents.of(
            asked.session().principal(),
            asked.run().id(),
            step,
            asked.server().config().name(),
            asked.tool(),
            asked.bounds(),
            asked.arguments(),
            asked.params().get("inputResponses"),
            ids.call());
    repeats.handle(asked, intent, this);
  }

  @Override
  public void make(
      Asked asked,
      Intent intent,
      Flight flight,
      @Nullable CallRecord follows,
      Past past,
      @Nullable Deadline keyUntil) {
    String id = ids.call();
    flight.isCall(asked.run().id(), id);
    make(
        asked,
        id,
        intent.key(),
        flight.audience(),
        follows == null ? null : follows.id(),
        past,
        keyUntil);
  }

  @Override
  public void refuse(
      Asked asked, Intent intent, Audience audience, Reason.Stopped because, String why) {
    String id = ids.call();
    Order order = order(asked, id, intent.key(), null, null);
    CallJournal leaves = leaves(order, asked.contents(), null);
    audience.refer(new Conversation.Reference(order.run().id(), id));
    leaves.opened();
    call(order, order.carried(), Past.NOTHING, audience, leaves).refuse(because, why);
  }

  private void make(
      Asked asked,
      String id,
      @Nullable String key,
      Audience audience,
      @Nullable String follows,
      Past past,
      @Nullable Deadline keyUntil) {
    Order order = order(asked, id, key, follows, keyUntil);
    audience.refer(new Conversation.Reference(order.run().id(), id));
    CallJournal leaves = leaves(order, asked.contents(), resend(order, asked.contents()));
    Carried carried = order.carried();
    ToolCall call = call(order, carried, past, audience, leaves);
    Refusal refusal = Refusal.of(asked, order, carried, past);
    carriedOut(
        call,
        order,
        audience,
        leaves,
        () -> {
          leaves.opened();
          if (refusal == null) {
            call.make();
          } else {
            call.refuse(refusal.reason(), refusal.detail());
          }
        });
  }

  /**
   * Goes on with a call that an earlier process left open. On this thread, to its end.
   *
   * @param detached whether somebody comes back for it
   */
  void takeUp(Order order, Past past, Audience audience, boolean detached) {
    CallJournal leaves = leaves(order, contents.of(order.bounds()), null);
    if (detached) {
      leaves.detaching();
    }
    ToolCall call = call(order, order.carried(), past, audience, leaves);
    carriedOut(call, order, audience, leaves, call::make);
  }

  private void carriedOut(
      ToolCall call, Order order, Audience audience, CallJournal leaves, Runnable work) {
    underway.add(call);
    try {
      work.run();
      runs.used(order.run());
    } catch (JournalException e) {
      boolean begun = leaves.begun();
      LOG.log(
          System.Logger.Level.ERROR,
          "call={0} recorded=no sent={1} {2}",
          order.record().id(),
          begun ? "maybe" : "no",
          e.getMessage());
      audience.fail(Unrecorded.error(begun ? "it may have been sent" : "nothing was sent", e));
    } finally {
      underway.remove(call);
    }
  }

  private ToolCall call(
      Order order, Carried carried, Past past, Audience audience, CallJournal leaves) {
    return new ToolCall(
        order,
        carried,
        past,
        config.backoff(),
        audience,
        leaves,
        settler,
        vigil,
        approvals,
        tasks,
        config.settleByModel());
  }

  private CallJournal leaves(Order order, Contents kept, @Nullable String resend) {
    return new CallJournal(
        journal,
        order.record(),
        kept,
        resend,
        order.params(),
        order.bounds().price(),
        config.secrets(),
        clock);
  }

  /** What a later process needs to take the call up: kept only where it could, and may be. */
  private static @Nullable String resend(Order order, Contents kept) {
    return order.recognise() instanceof Recognise.Nothing
        ? null
        : kept.whole(order.params().toJson());
  }

  private Order order(
      Asked asked,
      String id,
      @Nullable String key,
      @Nullable String follows,
      @Nullable Deadline keyUntil) {
    Recognise recognise = Order.recognise(asked.bounds(), asked.effect().effect(), asked.params());
    CallRecord record =
        new CallRecord(
            id,
            asked.run().id(),
            asked.request().step(),
            asked.server().config().name(),
            asked.tool(),
            asked.effect().effect(),
            asked.effect().source(),
            recognise.kind(),
            key,
            follows,
            asked.digest(),
            asked.contents().kept(asked.arguments()),
            clock.instant(),
            null,
            null);
    ServerTools.Tool listed = asked.listed();
    return new Order(
        asked.server(),
        asked.tool(),
        asked.bounds(),
        asked.params(),
        asked.session().caller(),
        listed == null ? Map.of() : listed.schema().mirrored().values(asked.arguments()),
        asked.run(),
        record,
        keyUntil);
  }
}
