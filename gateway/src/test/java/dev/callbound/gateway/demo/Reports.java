package dev.callbound.gateway.demo;

import dev.callbound.gateway.demo.Report.Line;
import dev.callbound.gateway.demo.Report.Side;
import dev.callbound.journal.Ending.Status;
import dev.callbound.policy.Effect;
import java.nio.file.Path;
import java.util.List;

/** Reports of demos that never ran. */
final class Reports {
  private Reports() {}

  /** A write that was done twice and a read that was given up, each as both clients saw it. */
  static Report small() {
    Task write = Task.ALL.get(4);
    Task read = Task.ALL.get(10);
    return new Report(
        List.of(
            new Line(
                write,
                new Side(Effect.WRITE, Belief.DONE, new Count(2, 1, 2)),
                new Side(Effect.WRITE, Belief.UNKNOWN, new Count(1, 0, 1)),
                new Told(Status.UNKNOWN, "connection_lost"),
                "c_1"),
            new Line(
                read,
                new Side(Effect.READ, Belief.DONE, new Count(0, 1, 1)),
                new Side(Effect.READ, Belief.FAILED, new Count(0, 1, 1)),
                new Told(Status.STOPPED, "response_too_large"),
                "c_2")),
        "r_1",
        Path.of("/tmp/callbound.db"));
  }
}
