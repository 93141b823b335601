package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.ConfigException;
import dev.callbound.gateway.config.ConfigProblem;
import dev.callbound.gateway.door.http.CannotListenException;
import dev.callbound.journal.JournalException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells a person on stderr what went wrong, without a stack trace for what can happen. */
final class Complaints {
  private static final String PREFIX = "callbound: ";

  private Complaints() {}

  /** A command ended with an exception. */
  static int ofExecution(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    switch (e) {
      case ConfigException config -> complain(err, config);
      case JournalException _,
          CannotListenException _,
          CommandFailedException _,
          NotStartedException _ ->
          err.println(PREFIX + e.getMessage());
      default -> {
        err.println(PREFIX + "an unexpected error; please report it with what follows");
        e.printStackTrace(err);
      }
    }
    err.flush();
    return e instanceof NotStartedException
        ? ExitCode.NOT_STARTED
        : command.getCommandSpec().exitCodeOnExecutionException();
  }

  private static void complain(PrintWriter err, ConfigException e) {
    int problems = e.problems().size();
    if (problems == 1) {
      err.println(PREFIX + e.getMessage());
      return;
    }
    err.println(PREFIX + problems + " problems in the config:");
    e.problems().stream()
        .limit(ConfigException.MOST_SHOWN)
        .map(ConfigProblem::toString)
        .forEach(problem -> err.println("  " + problem));
    if (problems > ConfigException.MOST_SHOWN) {
      err.println("  and " + (problems - ConfigException.MOST_SHOWN) + " more");
    }
  }

  /** The command line could not be understood. */
  static int ofUsage(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(PREFIX + e.getMessage());
    // Prints "Did you mean", where something is near enough.
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
