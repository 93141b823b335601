package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.upstream.Exchange;

/** Whether a request may have arrived, as it is found out. Passes it on; thread-safe. */
final class Evidence {
  private final Exchange exchange;
  private volatile boolean sent;

  Evidence(Exchange exchange) {
    this.exchange = exchange;
  }

  /** The first byte is about to leave. */
  void sending() {
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

  boolean sent() {
    return sent;
  }
}
