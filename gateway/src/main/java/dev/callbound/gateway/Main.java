package dev.callbound.gateway;

import dev.callbound.gateway.cli.CommandLineProgram;

/** The program. */
public final class Main {
  private Main() {}

  /** Does what the command line says, and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(CommandLineProgram.run(arguments));
  }
}
