package dev.callbound.gateway.config;

/** Every key of the file. */
final class Keys {
  private Keys() {}
}
