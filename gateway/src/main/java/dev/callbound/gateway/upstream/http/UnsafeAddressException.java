package dev.callbound.gateway.upstream.http;

import java.net.UnknownHostException;

/** A host leads to no address that the config allows. */
final class UnsafeAddressException extends UnknownHostException {
  private static final long serialVersionUID = 1L;

  UnsafeAddressException(String message) {
    super(message);
  }
}
