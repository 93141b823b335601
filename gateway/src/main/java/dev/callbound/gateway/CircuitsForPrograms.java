package dev.callbound.gateway;

import dev.callbound.gateway.bridge.Gates;
import dev.callbound.gateway.door.CircuitsPort;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.policy.Entrance;
import java.util.ArrayList;
import java.util.List;

/** The circuits as the door shows them to programs. Thread-safe. */
final class CircuitsForPrograms implements CircuitsPort {
  private final Gates gates;

  CircuitsForPrograms(Gates gates) {
    this.gates = gates;
  }

  @Override
  public List<Circuit> circuits() {
    return gates.shut().stream().map(CircuitsForPrograms::shown).toList();
  }

  /** Without the server's own words: what it said to one principal is not for the others. */
  private static Circuit shown(CircuitRecord record) {
    return new Circuit(
        record.server(),
        record.tool().equals(Entrance.SERVER) ? null : record.tool(),
        record.bar().code(),
        record.state().code(),
        record.changedAt(),
        record.until(),
        record.failure().isEmpty() ? null : record.failure());
  }

  @Override
  public List<Crowd> crowds() {
    List<Crowd> crowds = new ArrayList<>();
    gates
        .crowds()
        .forEach(
            (server, crowd) ->
                crowds.add(
                    new Crowd(
                        server,
                        crowd.inside(),
                        crowd.waiting(),
                        crowd.places() == Integer.MAX_VALUE ? null : crowd.places())));
    return crowds;
  }
}
