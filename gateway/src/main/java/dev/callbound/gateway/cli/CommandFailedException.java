package dev.callbound.gateway.cli;

/** A command can't do what it was asked to do. The message tells the person at the keyboard why. */
final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandFailedException(String message) {
    super(message);
  }
}
