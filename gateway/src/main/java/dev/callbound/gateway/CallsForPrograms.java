package dev.callbound.gateway;

import dev.callbound.gateway.bridge.Approvals;
import dev.callbound.gateway.bridge.Unknowns;
import dev.callbound.gateway.door.CallsPort;
import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.Pulse;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import dev.callbound.journal.TaskReader;
import dev.callbound.journal.TaskRecord;
import dev.callbound.policy.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The calls as the door shows them to programs. Thread-safe. */
final class CallsForPrograms implements CallsPort {
  private final Unknowns unknowns;
  private final Approvals approvals;
  private final JournalReader journal;
  private final TaskReader tasks;
  private final InstantSource clock;

  CallsForPrograms(
      Unknowns unknowns, Approvals approvals, JournalStore journal, InstantSource clock) {
    this.unknowns = unknowns;
    this.approvals = approvals;
    this.journal = journal;
    this.tasks = journal.tasks();
    this.clock = clock;
  }

  @Override
  public Optional<Call> find(String principal, String id) {
    return unknowns.call(principal, id).map(this::shown);
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

  @Override
  public Optional<Settling> rule(
      String principal, String id, boolean approved, @Nullable String note) {
    return unknowns
        .call(principal, id)
        .map(
            call ->
                ruled(
                    principal,
                    call.id(),
                    approvals.rule(
                        call.id(),
                        approved ? Ruling.Kind.APPROVED : Ruling.Kind.DENIED,
                        principal,
                        note)));
  }

  private Settling ruled(String principal, String id, Ruling.Result result) {
    return switch (result) {
      case RULED, ALREADY -> done(principal, id);
      case CONTRADICTED ->
          new Settling.Refused("ruled", "something else was ruled before, and that stands");
      case TOO_LATE ->
          new Settling.Refused(
              "too_late", "nobody ruled in time (approve_within), and it is not made any more");
      case OVER -> new Settling.Refused("over", "the call ended before anybody ruled");
      case NOT_ASKED ->
          new Settling.Refused("not_waiting", "the call does not wait for anybody's approval");
      case NO_SUCH_CALL -> new Settling.Refused("not_found", "no call has the id " + id);
    };
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

  private Call shown(CallRecord call) {
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
        settled(call.settled()),
        tasks.task(call.id()).map(TaskRecord::detachedAt).orElse(null),
        tasks.approval(call.id()).map(CallsForPrograms::shown).orElse(null),
        ending == null ? goingOn(call) : null);
  }

  private @Nullable OpenAttempt goingOn(CallRecord call) {
    List<AttemptRecord> attempts = journal.attemptsOf(call.id());
    AttemptRecord last = attempts.isEmpty() ? null : attempts.getLast();
    if (last == null || last.end() != null) {
      return null;
    }
    Duration age = Duration.between(last.startedAt(), clock.instant());
    Pulse pulse = last.pulse() == null ? Pulse.NOTHING_SEEN : last.pulse();
    return new OpenAttempt(
        last.number(),
        last.startedAt(),
        age.isNegative() ? Duration.ZERO : age,
        pulse.progressCount(),
        pulse.lastProgressAt(),
        pulse.signsOfLife(),
        pulse.lastSignAt(),
        pulse.stuckSince());
  }

  private static Approval shown(ApprovalRecord asked) {
    Ruling ruling = asked.ruling();
    return new Approval(
        ruling == null ? "waiting" : ruling.kind().code(),
        asked.until(),
        asked.arguments(),
        asked.masked(),
        ruling == null ? null : ruling.at(),
        ruling == null ? null : ruling.who(),
        ruling == null ? null : ruling.note());
  }

  private static @Nullable Settled settled(@Nullable Settlement settled) {
    return settled == null
        ? null
        : new Settled(
            settled.at(), settled.by().code(), settled.who(), settled.note(), settled.was().code());
  }
}
