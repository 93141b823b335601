package dev.callbound.gateway.cli;

import dev.callbound.journal.RunState;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The states of a run as they are written on the command line. */
final class StateNames implements Iterable<String> {
  /** For picocli. */
  StateNames() {}

  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(RunState.values()).map(RunState::code).iterator();
  }

  /** Reads a state's name. */
  static final class Converter implements ITypeConverter<RunState> {
    /** For picocli. */
    Converter() {}

    @Override
    public RunState convert(String name) {
      return Arrays.stream(RunState.values())
          .filter(state -> state.code().equalsIgnoreCase(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      name
                          + " is none; the states are "
                          + Arrays.stream(RunState.values())
                              .map(RunState::code)
                              .collect(Collectors.joining(", "))));
    }
  }
}
