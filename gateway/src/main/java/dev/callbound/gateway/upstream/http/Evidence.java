package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.upstream.Exchange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request may have arrived, as it is found out, and which of its time is the server's.
 * Passes it on; thread-safe.
 */
final class Evidence {
  private final Exchange exchange;
  private final @Nullable TimeLimit limit;
  private volatile boolean sent;

  /** A request that is bounded elsewhere. */
  Evidence(Exchange exchange) {
    this(exchange, null);
  }

  /**
   * @param limit what bounds the request; null where that is bounded elsewhere
   */
  Evidence(Exchange exchange, @Nullable TimeLimit limit) {
    this.exchange = exchange;
    this.limit = limit;
  }

  /**
   * The first byte is about to leave.
   *
   * @throws IOException if it must not leave any more
   */
  void sending() throws IOException {
    if (exchange.isOver()) {
      throw new IOException(
          "its time was over, or nobody waited any more, before it could be sent");
    }
    sent = true;
    exchange.sent();
  }

  /** It turned out that the request was not taken. */
  void notTaken() {
    if (sent) {
      sent = false;
      exchange.notTaken();
    }
  }

  /** What is waited for until this is closed is not the server's answer. */
  TimeLimit.Pause pause() {
    return limit == null ? () -> {} : limit.pause();
  }

  /** Something for the record. */
  void note(String note) {
    exchange.note(note);
  }

  boolean sent() {
    return sent;
  }
}
