package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import org.jspecify.annotations.Nullable;

/** What one sending of a request came to. */
sealed interface Try {
  /**
   * It has its answer, or failed.
   *
   * @param session the session's id that came with the answer; null for none
   */
  record Done(Reply<Json> reply, @Nullable String session) implements Try {}

  /**
   * It was not taken, because what was agreed on holds no longer: worth an agreement anew.
   *
   * @param because what the server said
   * @param ifAgain the failure, when it happens again right after
   */
  record TermsOver(String because, Failure ifAgain) implements Try {}

  /** It failed, and the next request needs an agreement anew; this one may have been taken. */
  record FailedAndOver(Failure failure) implements Try {}
}
