package dev.callbound.gateway.demo;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.gateway.demo.Report.Line;
import dev.callbound.gateway.demo.Report.Side;
import dev.callbound.gateway.demo.Report.Sums;
import java.util.Locale;

/** The report for programs: the numbers as they are. */
final class ReportJson {
  private ReportJson() {}

  static ObjectNode of(Report report) {
    return object(
        "tasks", report.lines().stream().map(ReportJson::task).toList(),
        "sums", object("naive", sums(report.naive()), "through_callbound", sums(report.bounded())),
        "run", report.run(),
        "journal", report.journal().toString());
  }

  private static ObjectNode task(Line line) {
    ObjectNode bounded = side(line.bounded());
    bounded.put("status", line.told().status().code());
    if (!line.told().reason().isEmpty()) {
      bounded.put("reason", line.told().reason());
    }
    return object(
        "task", line.task().name(),
        "tool", line.task().tool(),
        "effect", name(line.task().effect()),
        "naive", side(line.naive()),
        "through_callbound", bounded.put("call", line.call()));
  }

  private static ObjectNode side(Side side) {
    return object(
        "believed", name(side.belief()),
        "wrong", side.isWrong(),
        "happened", side.count().happened(),
        "answered", side.count().answered(),
        "sent", side.count().sent());
  }

  private static ObjectNode sums(Sums sums) {
    return object(
        "repeated", sums.repeated(),
        "wrong", sums.wrong(),
        "unknown", sums.unknown(),
        "sent", sums.sent());
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
