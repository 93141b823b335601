package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.Ending;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.Pulse;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.Settlement;
import dev.callbound.journal.TaskRecord;
import dev.callbound.policy.Money;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The record as JSON, for programs. Stable: a field keeps its name and meaning, others may be
 * added. Times are ISO 8601 in UTC; durations have their unit in the name; what there is not is
 * left out.
 */
final class RecordJson {
  private RecordJson() {}

  /** A run, how its calls ended, and what it was expected to bring about. */
  static ObjectNode run(RunRecord run, OutcomeCounts outcomes, List<OutputRecord> outputs) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", run.id());
    text(json, "name", run.name());
    json.put("principal", run.principal());
    json.put("client", run.client());
    json.put("state", run.state().code());
    json.put("started_at", run.createdAt().toString());
    json.put("deadline", run.deadline().toString());
    if (run.endedAt() != null) {
      json.put("ended_at", run.endedAt().toString());
    }
    text(json, "ended_because", run.endedBecause());
    json.put("retry_limit", run.retryLimit());
    json.put("retries_used", run.retriesUsed());
    money(json, "spend_limit", run.spendLimit());
    if (run.spendsMoney()) {
      money(json, "spent", run.spent());
    }
    json.putObject("outcomes")
        .put("ok", outcomes.ok())
        .put("stopped", outcomes.stopped())
        .put("unknown", outcomes.unknown())
        .put("open", outcomes.open());
    if (!outputs.isEmpty()) {
      ArrayNode all = json.putArray("outputs");
      outputs.forEach(output -> all.add(output(output)));
    }
    return json;
  }

  private static ObjectNode output(OutputRecord output) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("output", output.output());
    json.put("state", output.there() ? "there" : "missing");
    json.put("since", output.since().toString());
    json.put("final", output.isFinal());
    text(json, "detail", output.detail());
    return json;
  }

  /** A call without its attempts. */
  static ObjectNode call(CallRecord call) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", call.id());
    json.put("run", call.run());
    text(json, "step", call.step());
    json.put("server", call.server());
    json.put("tool", call.tool());
    json.put("effect", code(call.effect()));
    json.put("effect_from", call.effectFrom().code());
    json.put("recognition", code(call.recognition()));
    text(json, "key", call.key());
    text(json, "follows", call.follows());
    json.put("arguments_digest", call.argumentsDigest());
    text(json, "arguments", call.arguments());
    json.put("started_at", call.startedAt().toString());
    Ending ending = call.ending();
    json.put("status", ending == null ? "open" : ending.status().code());
    if (ending != null) {
      ending(json, ending);
    }
    Settlement settled = call.settled();
    if (settled != null) {
      ObjectNode how = json.putObject("settled");
      how.put("at", settled.at().toString());
      how.put("by", settled.by().code());
      how.put("who", settled.who());
      text(how, "note", settled.note());
      how.put("was", settled.was().code());
      how.put("was_detail", settled.wasDetail());
    }
    return json;
  }

  /**
   * A call with all that is recorded about it, and what to do.
   *
   * @param options see {@link NextSteps#of}
   */
  static ObjectNode call(CallHistory history, String options) {
    ObjectNode json = call(history.call());
    TaskRecord task = history.task();
    if (task != null) {
      json.put("detached_at", task.detachedAt().toString());
      json.put("kept_until", task.keptUntil().toString());
    }
    if (history.approval() != null) {
      json.set("approval", approval(history.approval()));
    }
    ArrayNode attempts = json.putArray("attempt_list");
    history.attempts().forEach(attempt -> attempts.add(attempt(attempt)));
    if (!history.repeats().isEmpty()) {
      ArrayNode repeats = json.putArray("repeats");
      history.repeats().forEach(repeat -> repeats.add(repeat(repeat)));
    }
    CallRecord follower = history.follower();
    text(json, "followed_by", follower == null ? null : follower.id());
    if (!history.divergences().isEmpty()) {
      ArrayNode divergences = json.putArray("divergences");
      history.divergences().forEach(divergence -> divergences.add(divergence(divergence)));
    }
    NextSteps.of(history, options).ifPresent(next -> json.put("next", next.line()));
    return json;
  }

  /** How a call waits, or waited, for a person. */
  static ObjectNode approval(ApprovalRecord approval) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    Ruling ruling = approval.ruling();
    json.put("state", ruling == null ? "waiting" : ruling.kind().code());
    json.put("asked_at", approval.askedAt().toString());
    json.put("until", approval.until().toString());
    json.put("arguments", approval.arguments());
    json.put("masked", approval.masked());
    if (ruling != null) {
      json.put("at", ruling.at().toString());
      json.put("who", ruling.who());
      text(json, "note", ruling.note());
    }
    return json;
  }

  private static ObjectNode repeat(RepeatRecord repeat) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("at", repeat.at().toString());
    json.put("kind", repeat.kind().code());
    text(json, "step", repeat.step());
    json.put("client", repeat.client());
    return json;
  }

  private static ObjectNode divergence(Divergence divergence) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("at", divergence.at().toString());
    json.put("by", divergence.by().code());
    json.put("who", divergence.who());
    text(json, "note", divergence.note());
    json.put("status", divergence.status().code());
    text(json, "reason", divergence.reason() == null ? null : divergence.reason().code());
    json.put("detail", divergence.detail());
    text(json, "result_digest", divergence.resultDigest());
    if (divergence.resultBytes() > 0) {
      json.put("result_bytes", divergence.resultBytes());
    }
    return json;
  }

  private static void ending(ObjectNode json, Ending ending) {
    if (ending.reason() != null) {
      json.put("reason", ending.reason().code());
    }
    text(json, "detail", ending.detail().isEmpty() ? null : ending.detail());
    json.put("attempts", ending.attempts());
    json.put("ended_at", ending.endedAt().toString());
    text(json, "result_digest", ending.resultDigest());
    if (ending.resultBytes() > 0) {
      json.put("result_bytes", ending.resultBytes());
    }
    text(json, "result", ending.result());
  }

  private static ObjectNode attempt(AttemptRecord attempt) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("number", attempt.number());
    json.put("started_at", attempt.startedAt().toString());
    json.put("timeout_ms", attempt.timeout().toMillis());
    json.put("limited_by", code(attempt.limitedBy()));
    if (!attempt.held().isZero()) {
      millis(json, "held_ms", attempt.held());
    }
    if (!attempt.cost().isZero()) {
      money(json, "cost", attempt.cost());
    }
    AttemptEnd end = attempt.end();
    Pulse pulse = attempt.pulse();
    if (pulse != null) {
      pulse(json, pulse);
    }
    if (end == null) {
      return json;
    }
    millis(json, "waited_ms", end.waited());
    FailureRecord failure = end.failure();
    if (failure != null) {
      json.put("failure", failure.kind());
      json.put("failure_detail", failure.detail());
      json.put("may_have_run", failure.mayHaveRun());
    }
    json.put("decision", code(end.decision().action()));
    millis(json, "pause_ms", end.decision().pause());
    json.put("why", end.decision().why());
    json.put("progress_count", end.evidence().progressCount());
    millis(json, "last_progress_age_ms", end.evidence().lastProgressAge());
    json.put("signs_of_life", end.evidence().signsOfLife());
    text(json, "upstream_note", end.evidence().upstreamNote());
    return json;
  }

  private static void pulse(ObjectNode json, Pulse pulse) {
    json.put("progress_count", pulse.progressCount());
    time(json, "last_progress_at", pulse.lastProgressAt());
    json.put("signs_of_life", pulse.signsOfLife());
    time(json, "last_sign_of_life_at", pulse.lastSignAt());
    time(json, "stuck_since", pulse.stuckSince());
  }

  private static void time(ObjectNode json, String name, @Nullable Instant value) {
    if (value != null) {
      json.put(name, value.toString());
    }
  }

  private static void text(ObjectNode json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  private static void millis(ObjectNode json, String name, @Nullable Duration value) {
    if (value != null) {
      json.put(name, value.toMillis());
    }
  }

  static void money(ObjectNode json, String name, @Nullable Money value) {
    if (value != null) {
      json.put(name, new BigDecimal(value.toString()));
    }
  }

  private static String code(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
