package dev.callbound.gateway.door.http;

import org.jspecify.annotations.Nullable;

/** The door could not be opened at its address. The message says where, why and what to do. */
public final class CannotListenException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotListenException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
