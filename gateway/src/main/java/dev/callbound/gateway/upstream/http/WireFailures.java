package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.upstream.FailureText;
import dev.callbound.policy.Failure;
import java.io.IOException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.core5.http.NoHttpResponseException;

/** What an exception of the HTTP client says about a request. Pure. */
final class WireFailures {
  private WireFailures() {}

  /**
   * The failure that an exception reports.
   *
   * @param sent whether a byte of the request may have left
   * @param limitBytes the largest result that is taken
   */
  static Failure of(IOException e, boolean sent, long limitBytes) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnsafeAddressException
          || cause instanceof Sender.UnsafeRedirectException) {
        return new Failure.Unsafe(text(cause));
      }
    }
    if (!sent) {
      return new Failure.NotSent(text(e));
    }
    return switch (e) {
      // A server that wants another certificate says so only after TLS 1.3 let us send.
      case SSLHandshakeException _ -> new Failure.NotSent(text(e));
      case BoundedBody.TooLargeException tooLarge ->
          new Failure.TooLarge(tooLarge.bytes(), limitBytes);
      case ClientProtocolException _ -> new Failure.Garbled("not an HTTP response");
      case NoHttpResponseException _ ->
          new Failure.Broken("the connection was closed without an answer");
      default -> new Failure.Broken(text(e));
    };
  }

  /** What an exception says, in one line. */
  static String text(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : FailureText.of(message);
  }
}
