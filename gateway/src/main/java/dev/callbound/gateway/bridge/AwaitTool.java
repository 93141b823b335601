package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The gateway's own tool {@code callbound_await}: waits for a call that went on without its client,
 * for so long and no longer. Returns the tool's own result, or how the call stands.
 */
final class AwaitTool {
  static final String NAME = "callbound_await";

  /** Clients give up after a minute, if not before: a wait must end while they still listen. */
  private static final Duration LONGEST = Duration.ofSeconds(45);

  private static final Duration STANDARD = Duration.ofSeconds(30);

  static final Json LISTED =
      Json.of(
          """
          {"name":"callbound_await","title":"Result of a call","description":\
          "Waits for a tool call that takes longer than usual, by the call id that you were given \
          for it, and returns its result. If it is not done within the wait you are told how it \
          stands; ask again later. It never makes the call a second time.","inputSchema":\
          {"type":"object","properties":{"call":{"type":"string","description":"The call id, such \
          as c_01k..."},"wait":{"type":"integer","minimum":0,"maximum":45,"description":"How many \
          seconds to wait at most. Default: 30."}},"required":["call"],"additionalProperties":\
          false},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,\
          "openWorldHint":false}}""");

  private final Unknowns calls;
  private final Underway underway;
  private final EndedCalls ended;
  private final Catalog catalog;

  AwaitTool(Unknowns calls, Underway underway, EndedCalls ended, Catalog catalog) {
    this.calls = calls;
    this.underway = underway;
    this.ended = ended;
    this.catalog = catalog;
  }

  /** Answers a request for it: now, or when the call ends or the wait is over. */
  void handle(Talk talk, Session session) {
    JsonObject arguments = talk.request().params().object("arguments");
    String id = arguments.text("call");
    Json wait = arguments.get("wait");
    OptionalLong seconds = wait == null ? OptionalLong.of(STANDARD.toSeconds()) : wait.asLong();
    if (id == null
        || seconds.isEmpty()
        || seconds.getAsLong() < 0
        || seconds.getAsLong() > LONGEST.toSeconds()) {
      mistaken(
          talk,
          session,
          NAME
              + " takes the call's id in call, and in wait a whole number of seconds from 0 to "
              + LONGEST.toSeconds()
              + ".");
      return;
    }
    Optional<CallRecord> call = calls.call(session.principal(), id);
    if (call.isEmpty()) {
      mistaken(talk, session, Unknowns.noCall(id));
      return;
    }
    OpenCall open = call.get().ending() == null ? underway.find(id) : null;
    if (open == null) {
      over(talk, session, id);
      return;
    }
    Stay stay = Stay.again(atMost(open.record(), Duration.ofSeconds(seconds.getAsLong())));
    switch (open.audience().join(session, talk, open.record().tool(), stay)) {
      case JOINED -> {}
      case ANSWERED -> over(talk, session, id);
      case FULL ->
          talk.fail(
              RpcError.of(RpcError.INTERNAL_ERROR, "too many wait for this call; come later"));
    }
  }

  /** Less than the client would wait for the tool itself, or it would be let go in its turn. */
  private Duration atMost(CallRecord call, Duration wish) {
    ServerTools server = catalog.server(call.server());
    ToolConfig bounds = server == null ? ToolConfig.standard() : server.bounds(call.tool());
    Duration patience = bounds.waiting().detachAfter();
    Duration most = patience == null ? LONGEST : patience.multipliedBy(9).dividedBy(10);
    return wish.compareTo(most) > 0 ? most : wish;
  }

  private void over(Talk talk, Session session, String id) {
    // Looked up again: it may have ended since.
    Optional<CallRecord> call = calls.call(session.principal(), id);
    Ending ending = call.map(CallRecord::ending).orElse(null);
    if (call.isEmpty() || ending == null) {
      say(talk, session, "Call " + id + " is about to go on. Ask again in a moment.");
      return;
    }
    talk.refer(new Conversation.Reference(call.get().run(), id));
    switch (ended.answer(session.revision(), call.get(), ending)) {
      case EndedCalls.Answer.Result(Json result) ->
          talk.answer(Audience.translated(session, result));
      case EndedCalls.Answer.Failed(RpcError error) -> talk.fail(error);
    }
  }

  private static void mistaken(Talk talk, Session session, String text) {
    talk.answer(Audience.translated(session, ToolResults.mistake(text)));
  }

  private static void say(Talk talk, Session session, String text) {
    talk.answer(Audience.translated(session, ToolResults.of(Json.text(text))));
  }
}
