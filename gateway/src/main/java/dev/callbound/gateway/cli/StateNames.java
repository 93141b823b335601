package dev.callbound.gateway.cli;

import dev.callbound.journal.RunState;
import java.util.Arrays;
import java.util.Iterator;

/** The states of a run as they are written on the command line. */
final class StateNames implements Iterable<String> {
  /** For picocli. */
  StateNames() {}

  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(RunState.values()).map(RunState::code).iterator();
  }
}
