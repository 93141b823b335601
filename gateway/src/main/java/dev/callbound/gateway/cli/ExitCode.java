package dev.callbound.gateway.cli;

/** The exit codes of the program. */
final class ExitCode {
  /** It did what it was asked to do. */
  static final int OK = 0;

  /** It could not, or what it was asked to check is not in order. */
  static final int FAILED = 1;

  /** The command line makes no sense. */
  static final int USAGE = 2;

  private ExitCode() {}
}
