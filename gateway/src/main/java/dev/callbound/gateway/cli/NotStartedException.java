package dev.callbound.gateway.cli;

import java.io.IOException;

/** A program could not be started. The message says which, and why. */
final class NotStartedException extends IOException {
  private static final long serialVersionUID = 1L;

  NotStartedException(String program, IOException cause) {
    super("can't start " + program + ": " + cause.getMessage(), cause);
  }
}
