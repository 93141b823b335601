package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.CircuitsPort;
import java.util.List;

/** What keeps calls out, as a test says. */
final class RecordedCircuits implements CircuitsPort {
  List<Circuit> circuits = List.of();
  List<Crowd> crowds = List.of();

  @Override
  public List<Circuit> circuits() {
    return circuits;
  }

  @Override
  public List<Crowd> crowds() {
    return crowds;
  }
}
