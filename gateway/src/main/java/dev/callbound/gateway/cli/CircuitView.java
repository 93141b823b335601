package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Entrance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What keeps calls out, for people and as JSON. */
final class CircuitView {
  private final Screen screen;
  private final Instant now;

  CircuitView(Screen screen, Instant now) {
    this.screen = screen;
    this.now = now;
  }

  void show(List<CircuitRecord> shut) {
    if (shut.isEmpty()) {
      screen.line("Nothing is in the way.");
      return;
    }
    Style style = screen.style();
    Table table = new Table(style, 0, "", "WHAT", "BECAUSE OF", "SINCE", "NEXT", "LAST");
    for (CircuitRecord circuit : shut) {
      table.row(
          Table.Cell.of(Text.line(name(circuit))),
          new Table.Cell(circuit.bar().code(), style::alarming),
          Table.Cell.of(screen.times().brief(circuit.changedAt())),
          Table.Cell.of(next(circuit)),
          Table.Cell.of(circuit.failure()));
    }
    screen.lines(table.lines());
    screen.blank();
    for (CircuitRecord circuit : shut) {
      if (!circuit.detail().isEmpty()) {
        screen.paragraph(Text.line(name(circuit) + ": " + circuit.detail()), "");
      }
    }
  }

  /** The server, and the tool where it is about one. */
  static String name(CircuitRecord circuit) {
    return circuit.tool().equals(Entrance.SERVER)
        ? circuit.server()
        : circuit.server() + "/" + circuit.tool();
  }

  private String next(CircuitRecord circuit) {
    Duration left = Duration.between(now, circuit.until());
    if (circuit.bar() == Entrance.Bar.LIMIT) {
      return "in " + Times.length(left);
    }
    if (circuit.state() == Circuit.State.HALF_OPEN) {
      return "one call is trying";
    }
    return left.isPositive() ? "a try in " + Times.length(left) : "the next call tries";
  }

  static ObjectNode json(CircuitRecord circuit) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("server", circuit.server());
    if (!circuit.tool().equals(Entrance.SERVER)) {
      json.put("tool", circuit.tool());
    }
    json.put("bar", circuit.bar().code());
    json.put("state", circuit.state().code());
    json.put("since", circuit.changedAt().toString());
    json.put("until", circuit.until().toString());
    if (!circuit.failure().isEmpty()) {
      json.put("failure", circuit.failure());
      json.put("failure_detail", circuit.detail());
    }
    return json;
  }
}
