package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.Tool.Hints;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The tools that execute something, each telling its own kind of untruth about it. */
final class WriteTools {
  private static final int NINE_MEBIBYTES = 9 * 1024 * 1024;
  private static final List<Step> WORKS = List.of(Step.Effect.PLAIN, Step.Reply.normal());

  private final List<Tool> tools = new ArrayList<>();

  private WriteTools() {}

  static List<Tool> all() {
    WriteTools writes = new WriteTools();
    writes.honest();
    writes.failAfterExecuting();
    writes.failWithoutExecuting();
    writes.recognisable();
    return writes.tools;
  }

  private void honest() {
    add(
        "write_ok",
        Hints.WRITE,
        "Executes and answers.",
        object("text", Schema.text()),
        (a, n) -> WORKS);
    add(
        "write_slow",
        Hints.WRITE,
        "Executes before or after a delay.",
        object("text", Schema.text(), "delay_ms", Schema.integer(), "when", beforeOrAfter()),
        (a, n) -> {
          Step sleep = new Step.Sleep(a.millis("delay_ms", 2000));
          return a.text("when", "after").equals("before")
              ? List.of(Step.Effect.PLAIN, sleep, Step.Reply.normal())
              : List.of(sleep, Step.Effect.PLAIN, Step.Reply.normal());
        });
    add(
        "delete_thing",
        Hints.DELETE,
        "Deletes a thing.",
        object("id", Schema.text()),
        (a, n) -> WORKS);
    add(
        "write_noop",
        Hints.WRITE,
        "Claims success and executes nothing.",
        object("text", Schema.text()),
        (a, n) -> List.of(Step.Reply.of(Step.Content.EMPTY)));
    add(
        "lying_read_only",
        Hints.READ,
        "Looks like a read; it is not.",
        object(),
        (a, n) -> a.strikes(n, 1) ? List.of(Step.Effect.PLAIN, new Step.Hang()) : WORKS);
  }

  private void failAfterExecuting() {
    then("hang", a -> new Step.Hang());
    then("reset", a -> new Step.Reset());
    then("close", a -> new Step.Close());
    then("crash", a -> new Step.Crash(137));
    then("truncate", a -> new Step.Truncate(Step.Content.NORMAL));
    then("garbage", a -> Step.Raw.GARBAGE);
    then("empty", a -> Step.Reply.of(Step.Content.EMPTY));
    then("drop_sse", a -> new Step.Drop(false));
    then(
        "status",
        a -> {
          Step.Status status = Step.Status.of(a.number("status", 504));
          String wait = a.text("retry_after");
          return wait == null ? status : status.header("Retry-After", wait);
        });
    then(
        "is_error",
        a ->
            Step.Reply.of(
                Step.Content.error(a.text("text", "request failed: upstream timed out"))));
    add(
        "write_huge_result",
        Hints.WRITE,
        "Executes, then answers at great length.",
        object("bytes", Schema.integer()),
        (a, n) ->
            List.of(
                Step.Effect.PLAIN,
                Step.Reply.of(Step.Content.filler(a.number("bytes", NINE_MEBIBYTES), false))));
  }

  private void failWithoutExecuting() {
    ObjectNode refusal =
        object("text", Schema.text(), "status", Schema.integer(), "retry_after", Schema.anything());
    add(
        "write_rejected",
        Hints.WRITE,
        "Refuses without executing, then works.",
        refusal,
        (a, n) ->
            a.strikes(n, 1)
                ? List.of(
                    Step.Status.of(a.number("status", 429))
                        .header("Retry-After", a.text("retry_after", "1")))
                : WORKS);
    ObjectNode text = object("text", Schema.text());
    add(
        "hang_before_write",
        Hints.WRITE,
        "Hangs without executing, then works.",
        text,
        (a, n) -> a.strikes(n, 1) ? List.of(new Step.Hang()) : WORKS);
    add(
        "reset_before_write",
        Hints.WRITE,
        "Resets without executing, then works.",
        text,
        (a, n) -> a.strikes(n, 1) ? List.of(new Step.Reset()) : WORKS);
    add(
        "crash_mid_call",
        Hints.WRITE,
        "The process dies during the call.",
        object("when", beforeOrAfter()),
        (a, n) ->
            a.text("when", "after").equals("before")
                ? List.of(new Step.Crash(137))
                : List.of(Step.Effect.PLAIN, new Step.Crash(137)));
  }

  private void recognisable() {
    ObjectNode keyed =
        object(
            "text", Schema.text(),
            "idempotency_key", Schema.text(),
            "then", Schema.oneOf("ok", "hang", "reset", "close", "status", "crash"),
            "delay_ms", Schema.integer(),
            "ttl_ms", Schema.integer(),
            "while_pending", Schema.oneOf("join", "conflict"));
    add(
        "write_with_key",
        Hints.WRITE,
        "Executes once per idempotency key.",
        keyed,
        WriteTools::keyedWrite);
    add(
        "upsert",
        Hints.UPSERT,
        "Creates or leaves as is; safe to repeat.",
        object(),
        (a, n) -> List.of(new Step.Effect(false, null, true), Step.Reply.normal()));
    add(
        "pay",
        Hints.DESTRUCTIVE,
        "Moves money.",
        object("amount", object("type", "number"), "idempotency_key", Schema.text()),
        (a, n) -> List.of(new Step.Effect(true, null, false), Step.Reply.normal()));
  }

  private static List<Step> keyedWrite(ToolArguments a, int nth) {
    boolean refuseSecond = a.text("while_pending", "join").equals("conflict");
    boolean fault = !a.text("then", "ok").equals("ok") && a.strikes(nth, 1);
    return List.of(
        new Step.Reserve(refuseSecond),
        new Step.Sleep(a.millis("delay_ms", 0)),
        new Step.Effect(true, a.text("ttl_ms") == null ? null : a.millis("ttl_ms", 0), false),
        fault ? StepReader.one(a.text("then", ""), object("status", 504)) : Step.Reply.normal());
  }

  /** A tool that executes and then does one wrong thing, once unless told otherwise. */
  private void then(String what, Function<ToolArguments, Step> how) {
    add(
        "write_then_" + what,
        Hints.WRITE,
        "Executes, then: " + what + ".",
        object("text", Schema.text(), "status", Schema.integer(), "retry_after", Schema.anything()),
        (a, n) -> a.strikes(n, 1) ? List.of(Step.Effect.PLAIN, how.apply(a)) : WORKS);
  }

  private void add(
      String name, Hints hints, String description, ObjectNode properties, Tool.Plan plan) {
    tools.add(new Tool(name, hints, description, properties, plan));
  }

  private static ObjectNode beforeOrAfter() {
    return Schema.oneOf("before", "after");
  }
}
