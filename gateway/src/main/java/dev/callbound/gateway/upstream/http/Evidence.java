package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.upstream.Exchange;
import java.io.IOException;

/** Whether a request may have arrived, as it is found out. Passes it on; thread-safe. */
final class Evidence {
  private final Exchange exchange;
  private volatile boolean sent;

  Evidence(Exchange exchange) {
    this.exchange = exchange;
  }

  /**
   * The first byte is about to leave.
   *
   * @throws IOException if it must not leave any more
   */
  void sending() throws IOException {
    if (exchange.isOver()) {
      throw new IOException("its time was over before it could be sent again");
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

  /** Something for the record. */
  void note(String note) {
    exchange.note(note);
  }

  boolean sent() {
    return sent;
  }
}
