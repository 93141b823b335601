package dev.callbound.gateway.upstream.http;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Knows the one moment that counts: the connection is there, its TLS is done, and the first byte of
 * the request is about to leave. Before it nothing was sent; from then on the request may have
 * arrived.
 */
final class EvidentExecutor extends HttpRequestExecutor {
  /** The context's attribute with the {@link Sending} that is told of that moment. */
  static final String SENDING = "callbound.sending";

  /** The status of an error is known already; its text is not worth waiting for. */
  private static final Timeout ERROR_TEXT = Timeout.ofSeconds(2);

  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request,
      HttpClientConnection connection,
      @Nullable HttpResponseInformationCallback information,
      HttpContext context)
      throws IOException, HttpException {
    EndpointDetails details = connection.getEndpointDetails();
    if (details != null && details.getRequestCount() > 0 && isStale(connection)) {
      throw new StaleConnectionException();
    }
    if (context.getAttribute(SENDING) instanceof Sending sending) {
      sending.begins();
    }
    ClassicHttpResponse response = super.execute(request, connection, information, context);
    if (response.getCode() >= 400) {
      connection.setSocketTimeout(ERROR_TEXT);
    }
    return response;
  }

  /**
   * Whether a connection that lay idle was closed, or spoke unasked, which no use can come of. A
   * plain one is looked at without waiting; TLS may have bytes of its own, and is read from for up
   * to a millisecond.
   */
  private static boolean isStale(HttpClientConnection connection) throws IOException {
    if (connection instanceof ManagedHttpClientConnection managed
        && managed.getSSLSession() == null) {
      Socket socket = managed.getSocket();
      SocketChannel channel = socket == null ? null : socket.getChannel();
      if (channel != null) {
        return isStale(channel);
      }
    }
    return connection.isStale();
  }

  private static boolean isStale(SocketChannel channel) {
    try {
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read != 0;
    } catch (IOException _) {
      // Closed by a reset, or by an interrupt, which the next blocking step reports.
      return true;
    }
  }

  /** Is told of the moment. */
  @FunctionalInterface
  interface Sending {
    /**
     * The first byte leaves when this returns.
     *
     * @throws IOException if it must not leave
     */
    void begins() throws IOException;
  }

  /** A pooled connection turned out to be closed before anything was sent on it. */
  static final class StaleConnectionException extends IOException {
    private static final long serialVersionUID = 1L;

    StaleConnectionException() {
      super("the pooled connection was closed by the server");
    }
  }
}
