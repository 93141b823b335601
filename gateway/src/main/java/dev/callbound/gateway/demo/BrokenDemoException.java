package dev.callbound.gateway.demo;

import org.jspecify.annotations.Nullable;

/** The demo itself went wrong, so that its table would show nothing. */
final class BrokenDemoException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BrokenDemoException(String message) {
    super(message);
  }

  BrokenDemoException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
