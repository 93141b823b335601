package dev.callbound.gateway;

import dev.callbound.gateway.bridge.Unknowns;
import dev.callbound.gateway.door.CallsPort;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import dev.callbound.policy.Reason;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The calls as the door shows them to programs. Thread-safe. */
final class CallsForPrograms implements CallsPort {
  private final Unknowns unknowns;

  CallsForPrograms(Unknowns unknowns) {
    this.unknowns = unknowns;
  }

  @Override
  public Optional<Call> find(String principal, String id) {
    return unknowns.call(principal, id).map(CallsForPrograms::shown);
  }

  @Override
  public Optional<Settling> settle(
      String principal, String id, @Nullable Boolean landed, @Nullable String note) {
    return unknowns
        .call(principal, id)
        .map(
            call ->
                landed == null
                    ? asked(principal, call)
                    : said(
                        principal,
                        call,
                        unknowns.said(id, landed, SettledBy.PERSON, principal, note)));
  }

  private Settling asked(String principal, CallRecord call) {
    Ending ending = call.ending();
    if (ending == null || ending.status() != Ending.Status.UNKNOWN) {
      return said(principal, call, ending == null ? SettleResult.OPEN : SettleResult.NOT_UNKNOWN);
    }
    return unknowns
        .ask(call, principal)
        .<Settling>map(why -> new Settling.Refused("still_unknown", "still unknown: " + why))
        .orElseGet(() -> done(principal, call.id()));
  }

  private Settling said(String principal, CallRecord call, SettleResult result) {
    return switch (result) {
      case SETTLED, ALREADY -> done(principal, call.id());
      case DIVERGENT ->
          new Settling.Refused(
              "divergent",
              "it was settled the other way before; that stands, and this is recorded beside it");
      case NOT_UNKNOWN ->
          new Settling.Refused(
              "not_unknown", "the call is not unknown; there is nothing to settle");
      case OPEN -> new Settling.Refused("open", "the call has not ended yet");
      case NO_SUCH_CALL -> new Settling.Refused("not_found", "no call has the id " + call.id());
    };
  }

  private Settling done(String principal, String id) {
    return new Settling.Done(find(principal, id).orElseThrow());
  }

  private static Call shown(CallRecord call) {
    Ending ending = call.ending();
    Reason reason = ending == null ? null : ending.reason();
    return new Call(
        call.id(),
        call.run(),
        call.step(),
        call.server(),
        call.tool(),
        call.effect().name().toLowerCase(Locale.ROOT),
        call.key(),
        ending == null ? "open" : ending.status().code(),
        reason == null ? null : reason.code(),
        ending == null ? "" : ending.detail(),
        ending == null ? 0 : ending.attempts(),
        call.startedAt(),
        ending == null ? null : ending.endedAt(),
        settled(call.settled()));
  }

  private static @Nullable Settled settled(@Nullable Settlement settled) {
    return settled == null
        ? null
        : new Settled(
            settled.at(), settled.by().code(), settled.who(), settled.note(), settled.was().code());
  }
}
