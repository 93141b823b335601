package dev.callbound.gateway.cli;

/** The exit codes of the program. */
final class ExitCode {
  /** It did what it was asked to do. */
  static final int OK = 0;

  /** It could not, or what it was asked to check is not in order. */
  static final int FAILED = 1;

  /** The command line makes no sense. */
  static final int USAGE = 2;

  /** Of {@code exec}: the run ended with a write in doubt (EX_TEMPFAIL of sysexits.h). */
  static final int IN_DOUBT = 75;

  /** Of {@code exec}: the run's deadline passed, as {@code timeout} says it. */
  static final int PAST_DEADLINE = 124;

  /** Of {@code exec}: it failed itself, as {@code timeout} and {@code env} say it. */
  static final int NOT_EXECUTED = 125;

  /** Of {@code exec}: the command could not be started, as a shell says it. */
  static final int NOT_STARTED = 127;

  private ExitCode() {}
}
