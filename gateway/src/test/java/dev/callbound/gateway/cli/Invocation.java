package dev.callbound.gateway.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** A command line that was run in this process, and what it printed. */
record Invocation(int exitCode, String out, String err) {
  static Invocation of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CommandLineProgram.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    int exitCode = line.execute(arguments);
    return new Invocation(exitCode, out.toString(), err.toString());
  }

  List<String> lines() {
    return out.lines().toList();
  }
}
