package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's own tool {@code callbound_outcome}: a model that has looked whether an unknown call
 * took effect says so. Only where the configuration allows it; a model's word is recorded as such.
 */
final class OutcomeTool {
  static final String NAME = "callbound_outcome";

  private static final int LONGEST_NOTE = 500;

  private static final Json LISTED =
      Json.of(
          """
          {"name":"callbound_outcome","title":"Outcome of a call","description":\
          "Shows how an earlier call ended, by its call id. If its outcome is unknown and you have \
          looked with a read tool whether its effect is there, say so with landed: that settles the \
          call, so that it can be made again if it did not happen. Never guess.","inputSchema":\
          {"type":"object","properties":{"call":{"type":"string","description":"The call id, such \
          as c_01k..."},"landed":{"type":"boolean","description":"True if the effect is there, \
          false if it is certainly not there. Leave it out to look only."},"note":{"type":"string",\
          "maxLength":500,"description":"What you saw, and where."}},"required":["call"],\
          "additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":false,\
          "idempotentHint":true,"openWorldHint":false}}""");

  private final boolean allowed;
  private final JournalReader journal;
  private final Unknowns unknowns;

  OutcomeTool(boolean allowed, JournalReader journal, Unknowns unknowns) {
    this.allowed = allowed;
    this.journal = journal;
    this.unknowns = unknowns;
  }

  /** The tool as a client sees it; none where a model may not settle. */
  List<Json> listed() {
    return allowed ? List.of(LISTED) : List.of();
  }

  /** Whether a request is for this tool. */
  boolean isMeant(String name) {
    return allowed && NAME.equals(name);
  }

  /** Answers a request for it. */
  void handle(Talk talk, Session session) {
    JsonObject arguments = talk.request().params().object("arguments");
    String id = arguments.text("call");
    Json landed = arguments.get("landed");
    String note = arguments.text("note");
    boolean known = landed == null || landed.equals(Json.TRUE) || landed.equals(Json.FALSE);
    if (id == null || !known || (note != null && note.length() > LONGEST_NOTE)) {
      answer(
          talk,
          session,
          ToolResults.mistake(
              "callbound_outcome takes the call's id in call; landed, true or false; and a note of"
                  + " at most 500 characters."));
      return;
    }
    Optional<CallRecord> call = unknowns.call(session.principal(), id);
    if (call.isEmpty()) {
      answer(talk, session, ToolResults.mistake(Unknowns.noCall(id)));
      return;
    }
    String text =
        landed == null
            ? told(call.get())
            : settled(call.get(), landed.isTrue(), session.title(), note);
    answer(talk, session, ToolResults.of(Json.text(text)));
  }

  private static void answer(Talk talk, Session session, Json result) {
    talk.answer(Audience.translated(session, result));
  }

  private String settled(CallRecord call, boolean landed, String who, @Nullable String note) {
    SettleResult result = unknowns.said(call.id(), landed, SettledBy.MODEL, who, note);
    return switch (result) {
      case SETTLED, ALREADY ->
          landed
              ? "Call %s is settled: it took effect. Do not make it again.".formatted(call.id())
              : "Call %s is settled: it did not take effect. You may make it again."
                  .formatted(call.id());
      case DIVERGENT ->
          "Call %s was settled the other way before, and that stands. Go by that: %s"
              .formatted(call.id(), told(journal.call(call.id()).orElse(call)));
      case NOT_UNKNOWN -> "Nothing is in doubt about it. " + told(call);
      case OPEN, NO_SUCH_CALL -> told(call);
    };
  }

  private static String told(CallRecord call) {
    Ending ending = call.ending();
    String what = "Call %s of %s".formatted(call.id(), call.tool());
    if (ending == null) {
      return what + " is still under way.";
    }
    return switch (ending.status()) {
      case OK -> what + " took effect.";
      case STOPPED -> what + " is over and did not take effect: " + ending.detail() + ".";
      case UNKNOWN ->
          what
              + " may or may not have taken effect: "
              + ending.detail()
              + ". Do not make it again; look with a read tool whether its effect is there.";
    };
  }
}
