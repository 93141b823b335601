package dev.callbound.gateway.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.policy.Effect;
import dev.callbound.testkit.wire.JsonRpc;
import java.time.Duration;
import java.util.List;

/**
 * One thing that both clients are to do, once.
 *
 * @param name what goes wrong, in few words
 * @param tool the fault server's tool; each task has another, by which its record is found
 * @param effect whether there is anything to be done twice
 * @param over how the tool's server is reached
 * @param arguments a JSON object: how the tool is to misbehave
 * @param limitedFor how long, from the start of the task, the server answers 429; zero for not
 */
record Task(
    String name,
    String tool,
    Effect effect,
    Transport over,
    String arguments,
    Duration limitedFor) {

  /** How a server is reached. */
  enum Transport {
    HTTP,
    STDIO
  }

  /** Retry-After has whole seconds, so a limit is over a little before the time that it named. */
  private static final Duration ALMOST_A_SECOND = Duration.ofMillis(950);

  /** What goes wrong in agents' logs, each as the fault server plays it. */
  static final List<Task> ALL =
      List.of(
          write("write slower than the timeout", "write_slow", "{\"delay_ms\": 1500}"),
          read("read that hangs once", "read_hang", "{\"times\": 1}"),
          limited("write, 429 with Retry-After: 1", "write_ok"),
          read("read, 503 twice", "flaky_n", "{}"),
          write("write, then connection reset", "write_then_reset", "{}"),
          write("connection reset before write", "reset_before_write", "{}"),
          write("write, then 504 from a proxy", "write_then_status", "{\"status\": 504}"),
          crash("write, then the server crashes", "crash_mid_call"),
          write("hang before the write", "hang_before_write", "{}"),
          write("write refused with 403", "write_rejected", "{\"status\": 403, \"times\": -1}"),
          read("read, answer over 1 MiB limit", "huge_result", "{\"bytes\": 2097152}"),
          read("read, the tool says it failed", "is_error_text", "{}"));

  /** What the task's calls and effects carry, by which the ledger is read. */
  String marker() {
    return tool;
  }

  /** The arguments of a call, with the marker. */
  String markedArguments() {
    ObjectNode marked = (ObjectNode) JsonRpc.parse(arguments);
    return JsonRpc.text(marked.put("marker", marker()));
  }

  private static Task write(String name, String tool, String arguments) {
    return new Task(name, tool, Effect.WRITE, Transport.HTTP, arguments, Duration.ZERO);
  }

  private static Task read(String name, String tool, String arguments) {
    return new Task(name, tool, Effect.READ, Transport.HTTP, arguments, Duration.ZERO);
  }

  private static Task limited(String name, String tool) {
    return new Task(name, tool, Effect.WRITE, Transport.HTTP, "{}", ALMOST_A_SECOND);
  }

  private static Task crash(String name, String tool) {
    return new Task(name, tool, Effect.WRITE, Transport.STDIO, "{}", Duration.ZERO);
  }
}
