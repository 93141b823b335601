package dev.callbound.testkit;

import dev.callbound.testkit.wire.HttpBody;
import dev.callbound.testkit.wire.HttpHead;
import dev.callbound.testkit.wire.HttpHeaders;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executor;

/**
 * One accepted connection: reads its requests in turn, and while one is handled watches whether the
 * client is still there. Belongs to the one thread that calls {@link #serve()}.
 */
final class HttpConnection {
  private static final int MAX_BODY_BYTES = 64 * 1024 * 1024;
  private static final int READ_TIMEOUT_MILLIS = 30_000;

  /** How often a wait for the next byte looks up to see whether the connection has idled out. */
  private static final int LOOK_UP_MILLIS = 250;

  private final Socket socket;
  private final Duration idleTimeout;
  private final Handler handler;
  private final Executor handlers;

  /** What is done with a request, on a thread of its own. */
  interface Handler {
    void handle(HttpRequest request, HttpResponse response) throws InterruptedException;
  }

  HttpConnection(Socket socket, Duration idleTimeout, Handler handler, Executor handlers) {
    this.socket = socket;
    this.idleTimeout = idleTimeout;
    this.handler = handler;
    this.handlers = handlers;
  }

  /** Serves until either side ends the connection. */
  void serve() throws InterruptedException {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      boolean more = true;
      while (more) {
        more = serveOne(in);
      }
    } catch (IOException e) {
      // The client broke off or sent what is no HTTP: the end of the connection is the answer.
      System.getLogger(HttpConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "connection ended", e);
    }
  }

  private boolean serveOne(InputStream in) throws IOException, InterruptedException {
    socket.setSoTimeout(Math.toIntExact(idleTimeout.toMillis()));
    HttpHead head;
    try {
      head = HttpHead.read(in);
    } catch (SocketTimeoutException e) {
      return false;
    }
    if (head == null) {
      return false;
    }
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    if ("100-continue".equalsIgnoreCase(head.headers().first("Expect"))) {
      socket
          .getOutputStream()
          .write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    byte[] body = HttpBody.ofRequest(head.headers(), in).readNBytes(MAX_BODY_BYTES);
    String[] line = head.startLine().split(" ", 3);
    if (line.length < 3) {
      throw new IOException("not a request line: " + head.startLine());
    }
    String wish = head.headers().first("Connection");
    boolean last = wish != null && wish.toLowerCase(Locale.ROOT).contains("close");
    HttpResponse response = new HttpResponse(socket, last);
    HttpRequest request = new HttpRequest(line[0], line[1], head.headers(), body);
    handlers.execute(() -> handle(request, response));
    try {
      return staysFor(response, in) && !last;
    } finally {
      response.connectionEnded();
    }
  }

  private void handle(HttpRequest request, HttpResponse response) {
    try {
      handler.handle(request, response);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      response.close();
    } catch (RuntimeException e) {
      // A bug here must not look like one of the faults: it is said aloud, and answered.
      System.getLogger(HttpConnection.class.getName())
          .log(System.Logger.Level.ERROR, "method=" + request.method() + " failed", e);
      if (response.begun()) {
        response.reset();
      } else {
        response.send(500, new HttpHeaders(), String.valueOf(e).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** Waits until the client has sent more (true), or until the connection is over (false). */
  private boolean staysFor(HttpResponse response, InputStream in)
      throws IOException, InterruptedException {
    socket.setSoTimeout(LOOK_UP_MILLIS);
    long idleMillis = 0;
    while (true) {
      try {
        in.mark(1);
        if (in.read() < 0) {
          return false;
        }
        in.reset();
        response.awaitOver();
        return true;
      } catch (SocketTimeoutException e) {
        idleMillis = response.over() ? idleMillis + LOOK_UP_MILLIS : 0;
        if (idleMillis >= idleTimeout.toMillis()) {
          return false;
        }
      }
    }
  }
}
