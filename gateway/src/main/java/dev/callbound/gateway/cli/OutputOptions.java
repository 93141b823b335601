package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option of every command that prints data. */
final class OutputOptions {
  @Option(
      names = "--json",
      description = "Print JSON for programs; docs/command-line.md names the fields.")
  private boolean json;

  /** For picocli. */
  OutputOptions() {}

  /** Whether a program reads it. */
  boolean json() {
    return json;
  }

  /** Prints the same data for a program or for a person, whichever is asked for. */
  void print(CommandLine command, Supplier<JsonNode> forPrograms, Consumer<Screen> forPeople) {
    PrintWriter out = command.getOut();
    if (json) {
      out.println(forPrograms.get().toPrettyString());
      out.flush();
      return;
    }
    Screen screen = new Screen(out, CommandLineProgram.of(command).style(), Times.local());
    forPeople.accept(screen);
    screen.flush();
  }
}
