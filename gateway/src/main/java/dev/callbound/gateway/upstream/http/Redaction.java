package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.policy.Failure;

/**
 * Takes secrets out of what a server said about a failure: some servers quote the headers that they
 * did not like.
 */
record Redaction(Secrets secrets) {
  /** The failure, without secrets in its text. */
  Failure of(Failure failure) {
    String detail = secrets.redact(failure.detail());
    return switch (failure) {
      case Failure.NotSent _ -> new Failure.NotSent(detail);
      case Failure.Refused refused -> new Failure.Refused(refused.code(), detail);
      case Failure.KeyConflict _ -> new Failure.KeyConflict(detail);
      case Failure.Limited limited -> new Failure.Limited(limited.retryAfter(), detail);
      case Failure.ServerError error -> new Failure.ServerError(error.code(), detail);
      case Failure.Broken _ -> new Failure.Broken(detail);
      case Failure.Garbled _ -> new Failure.Garbled(detail);
      case Failure.Unsafe _ -> new Failure.Unsafe(detail);
      // These carry no text of the server's.
      case Failure.TimedOut _,
          Failure.WorkerDied _,
          Failure.TooLarge _,
          Failure.ToolError _,
          Failure.Cancelled _ ->
          failure;
    };
  }

  /** The error, without secrets in its message. */
  RpcError of(RpcError error) {
    return new RpcError(error.code(), secrets.redact(error.message()), error.data());
  }
}
