package dev.callbound.journal.sqlite;

/** A record does not fit what was recorded before. */
final class InconsistentException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String problem;

  InconsistentException(String problem) {
    super(problem);
    this.problem = problem;
  }

  /** What does not fit. */
  String problem() {
    return problem;
  }
}
