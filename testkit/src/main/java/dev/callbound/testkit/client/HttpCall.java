package dev.callbound.testkit.client;

import dev.callbound.testkit.wire.HttpBody;
import dev.callbound.testkit.wire.HttpHead;
import dev.callbound.testkit.wire.HttpHeaders;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;

/**
 * One HTTP request on a connection of its own: nothing is pooled, so nothing is repeated behind a
 * test's back. {@link #close()} may be called from another thread and cuts the connection.
 */
final class HttpCall implements AutoCloseable {
  private final Socket socket = new Socket();
  private final URI endpoint;
  private final Duration timeout;

  /**
   * @param timeout the longest wait for the connection, and for each next byte
   */
  HttpCall(URI endpoint, Duration timeout) {
    this.endpoint = endpoint;
    this.timeout = timeout;
  }

  /** Connects; nothing has been sent if this fails. */
  void connect() throws IOException {
    int millis = Math.toIntExact(timeout.toMillis());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(millis);
    socket.connect(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()), millis);
  }

  /** Sends the request as it is, with Host and Content-Length added where they are missing. */
  void send(String method, String target, HttpHeaders headers, byte[] body) throws IOException {
    HttpHeaders all = HttpHeaders.of("Host", endpoint.getHost() + ":" + endpoint.getPort());
    if (!method.equals("GET") && !headers.contains("Transfer-Encoding")) {
      all.set("Content-Length", String.valueOf(body.length));
    }
    all.set("Connection", "close").setAll(headers);
    OutputStream out = socket.getOutputStream();
    out.write(new HttpHead(method + " " + target + " HTTP/1.1", all).bytes());
    out.write(body);
    out.flush();
  }

  /** A response whose body has not been read yet. */
  record Incoming(int status, HttpHeaders headers, InputStream body) {
    boolean isEventStream() {
      String type = headers.first("Content-Type");
      return type != null && type.startsWith("text/event-stream");
    }

    RawResponse whole() throws IOException {
      return new RawResponse(status, headers, body.readAllBytes());
    }
  }

  /** Waits for the head of the response. */
  Incoming receive() throws IOException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    while (true) {
      HttpHead head = HttpHead.read(in);
      if (head == null) {
        throw new EOFException("the connection ended without a response");
      }
      int status = head.status();
      if (status >= 200) {
        return new Incoming(
            status, head.headers(), HttpBody.ofResponse(status, head.headers(), in));
      }
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
