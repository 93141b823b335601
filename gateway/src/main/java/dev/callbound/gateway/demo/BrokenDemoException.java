package dev.callbound.gateway.demo;

/** The demo itself went wrong, so that its table would show nothing. */
final class BrokenDemoException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BrokenDemoException(String message) {
    super(message);
  }

  BrokenDemoException(String message, Throwable cause) {
    super(message, cause);
  }
}
