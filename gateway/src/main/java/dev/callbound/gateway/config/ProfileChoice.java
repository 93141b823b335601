package dev.callbound.gateway.config;

/** Which profile a server's config asks for. */
public sealed interface ProfileChoice {
  /** The shipped one that is for a server of this name and version, if there is one. */
  record ByServer() implements ProfileChoice {}

  /** None, whatever the server calls itself. */
  record None() implements ProfileChoice {}

  /** This one, whatever the server calls itself. */
  record This(Profile profile) implements ProfileChoice {}
}
