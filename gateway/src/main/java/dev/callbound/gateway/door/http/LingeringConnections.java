package dev.callbound.gateway.door.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Connection;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;

/**
 * HTTP connections that are closed the slow way (RFC 9112, 9.6): when the server ends one with an
 * answer, such as that a request is too large, it reads on for a while. Closing at once would reset
 * the connection under a client that is still sending, and most would never see the answer.
 */
final class LingeringConnections implements ServerConnectionSelector {
  /** The most that is read for nothing. */
  static final int MOST_BYTES = 32 << 20;

  /** How long it is read for nothing. */
  static final Duration LONGEST = Duration.ofSeconds(2);

  private final ServerConnectionSelector http;

  LingeringConnections(ServerConnectionSelector http) {
    this.http = http;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    return new Lingering((Http1Connection) http.connection(context), context);
  }

  private record Lingering(Http1Connection http, ConnectionContext context)
      implements ServerConnection, InterruptableTask<Void> {
    @Override
    public void handle(Limit limit) throws InterruptedException {
      http.handle(limit);
      // Returns only after an answer that ends the connection; one that the client ended throws.
      linger();
    }

    private void linger() {
      Thread reader = Thread.currentThread();
      Thread timer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Thread.sleep(LONGEST);
                      // Blocked in a read, this also closes the channel: that is the point.
                      reader.interrupt();
                    } catch (InterruptedException e) {
                      // The client closed first.
                    }
                  });
      DataReader data = context.dataReader();
      try {
        long skipped = 0;
        while (skipped < MOST_BYTES) {
          data.ensureAvailable();
          int available = data.available();
          data.skip(available);
          skipped += available;
        }
      } catch (DataReader.InsufficientDataAvailableException | UncheckedIOException e) {
        // The client has read the answer, or its time is over.
      } finally {
        timer.interrupt();
      }
    }

    @Override
    public Duration idleTime() {
      return http.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
      http.close(interrupt);
    }

    @Override
    public boolean canInterrupt() {
      return http.canInterrupt();
    }
  }
}
