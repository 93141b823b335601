package dev.callbound.gateway.upstream.http;

import dev.callbound.policy.Failure;

/** How a server answered the opening of one generation of the protocol. */
sealed interface Opening {
  /** It speaks it. */
  record Agreed(Terms terms) implements Opening {}

  /** It does not speak it, which says nothing against the other generation. */
  record NotSpoken(Failure why) implements Opening {}
}
