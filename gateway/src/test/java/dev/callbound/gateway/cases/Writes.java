package dev.callbound.gateway.cases;

import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.client.McpRequest;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes writes up: recognised by a key, by a check or not at all, each marked with a text of its
 * own, some of them with a fault at the server. Thread-safe.
 */
final class Writes {
  /** What may go wrong over HTTP. Over stdio some of it would end the server's process. */
  private static final List<String> FAULTS = List.of("reset", "close", "status", "hang");

  private static final List<Kind> KINDS = List.of(Kind.values());

  private static final int LONGEST_DELAY_MILLIS = 40;

  private final Way upstream;
  private final AtomicInteger markers = new AtomicInteger();

  Writes(Way upstream) {
    this.upstream = upstream;
  }

  /** How the repeat of a write is recognised. */
  enum Kind {
    NOT_RECOGNISED,
    CHECKED,
    KEYED
  }

  /**
   * A write that a client has in mind.
   *
   * @param stepped whether the client has named its step
   */
  record Write(Kind kind, boolean stepped, String marker, McpRequest request) {
    /** Whether a client that got no answer may make it again and still mean the same. */
    boolean repeatable() {
      return stepped || recognised();
    }

    boolean recognised() {
      return kind != Kind.NOT_RECOGNISED;
    }
  }

  /** What the configuration says about the tools that are used here. */
  String configuration() {
    // A process has to be started before it answers.
    String deadline = upstream == Way.HTTP ? "deadline: 1s" : "deadline: 20s";
    // A write that a circuit turns away is not done, which is not what is counted here.
    return "deadline: 20s, record: full, circuit: off, tools: {"
        + "write_then_hang: {deadline: 500ms, late_window: 1s}, "
        + ("write_with_key: {" + deadline + ", recognise: {key: {argument: idempotency_key}}}, ")
        + ("inject_write: {" + deadline + ", recognise: {check: {tool: find_by_marker,")
        + " arguments: {marker: '{/marker}'}, found: {at: '/objects/*'}, settles_after: 500ms}}}}";
  }

  /** The next write of a run. */
  Write next(String run, SplittableRandom random) {
    String marker = "m" + markers.incrementAndGet();
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    McpRequest request =
        switch (kind) {
          case NOT_RECOGNISED -> plain(marker, random);
          case CHECKED -> checked(marker, random);
          case KEYED -> keyed(marker, random);
        };
    request = request.meta("dev.callbound/run", '"' + run + '"');
    boolean stepped = random.nextInt(4) != 0;
    return new Write(
        kind,
        stepped,
        marker,
        stepped ? request.meta("dev.callbound/step", '"' + "step of " + marker + '"') : request);
  }

  private McpRequest plain(String marker, SplittableRandom random) {
    String marked = "{\"marker\":\"%s\"".formatted(marker);
    int delay = random.nextInt(LONGEST_DELAY_MILLIS);
    String when = random.nextBoolean() ? "before" : "after";
    String slow = marked + ",\"delay_ms\":%d,\"when\":\"%s\"}".formatted(delay, when);
    return switch (upstream == Way.HTTP ? random.nextInt(20) : 4) {
      case 0 -> McpRequest.call("write_then_reset", marked + "}");
      case 1 -> McpRequest.call("write_then_status", marked + "}");
      case 2 -> McpRequest.call("write_then_hang", marked + "}");
      case 3 -> McpRequest.call("write_rejected", marked + ",\"retry_after\":\"1\"}");
      default -> McpRequest.call("write_slow", slow);
    };
  }

  private McpRequest keyed(String marker, SplittableRandom random) {
    return McpRequest.call(
        "write_with_key",
        "{\"marker\":\"%s\",\"delay_ms\":%d,\"then\":\"%s\"}"
            .formatted(marker, random.nextInt(LONGEST_DELAY_MILLIS), fault("ok", random)));
  }

  /** A scenario: what happens at the first call, and what at a later one. */
  private McpRequest checked(String marker, SplittableRandom random) {
    String effect = "{\"do\":\"effect\"}";
    String sleep = "{\"do\":\"sleep\",\"ms\":%d}".formatted(random.nextInt(LONGEST_DELAY_MILLIS));
    String end = "{\"do\":\"%s\"}".formatted(fault("reply", random));
    List<String> steps =
        switch (random.nextInt(3)) {
          case 0 -> List.of(sleep, effect, end);
          case 1 -> List.of(effect, sleep, end);
          default -> end.contains("reply") ? List.of(effect, end) : List.of(sleep, end);
        };
    return McpRequest.call(
        "inject_write",
        "{\"marker\":\"%s\",\"times\":1,\"steps\":[%s],\"then\":[%s,%s,{\"do\":\"reply\"}]}"
            .formatted(marker, String.join(",", steps), sleep, effect));
  }

  private String fault(String none, SplittableRandom random) {
    if (random.nextInt(10) != 0) {
      return none;
    }
    return upstream == Way.STDIO ? "status" : FAULTS.get(random.nextInt(FAULTS.size()));
  }
}
