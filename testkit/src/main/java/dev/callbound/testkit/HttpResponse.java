package dev.callbound.testkit;

import dev.callbound.testkit.wire.HttpHead;
import dev.callbound.testkit.wire.HttpHeaders;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The way back of one HTTP request, with every way to go wrong on it.
 *
 * <p>Thread-safe. The lock is held while bytes are written: it is what keeps the pieces of one
 * message together. A client that has gone makes the writes do nothing; {@link #gone()} tells.
 */
final class HttpResponse {
  private static final byte[] LINE_END = "\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;
  private final boolean lastOfConnection;
  private final ReentrantLock writing = new ReentrantLock();
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean begun;
  private boolean chunked;
  private boolean finished;
  private boolean gone;
  private Runnable whenGone = () -> {};

  /**
   * @param lastOfConnection whether the connection ends with this response
   */
  HttpResponse(Socket socket, boolean lastOfConnection) {
    this.socket = socket;
    this.lastOfConnection = lastOfConnection;
  }

  boolean begun() {
    return locked(() -> begun);
  }

  /** Whether the client went away before the response was over. */
  boolean gone() {
    return locked(() -> gone);
  }

  boolean over() {
    return over.getCount() == 0;
  }

  void awaitOver() throws InterruptedException {
    over.await();
  }

  /** Runs the action when the client goes away early; at once if it has. */
  void whenGone(Runnable action) {
    boolean already =
        locked(
            () -> {
              whenGone = action;
              return gone;
            });
    if (already) {
      action.run();
    }
  }

  /** Sends a whole response. */
  void send(int status, HttpHeaders headers, byte[] body) {
    head(status, new HttpHeaders().setAll(headers).set("Content-Length", "" + body.length));
    write(body);
    end();
  }

  /** Begins a response of an announced length, which need not be the truth. */
  void begin(int status, HttpHeaders headers, int announcedLength) {
    head(status, new HttpHeaders().setAll(headers).set("Content-Length", "" + announcedLength));
  }

  /** Begins a response in chunks. */
  void beginStream(HttpHeaders headers) {
    locked(() -> chunked = true);
    head(200, new HttpHeaders().setAll(headers).set("Transfer-Encoding", "chunked"));
  }

  /** Writes a piece of the body at once. */
  void write(byte[] piece) {
    if (piece.length == 0) {
      return;
    }
    writing(
        out -> {
          if (chunked) {
            out.write(Integer.toHexString(piece.length).getBytes(StandardCharsets.US_ASCII));
            out.write(LINE_END);
          }
          out.write(piece);
          if (chunked) {
            out.write(LINE_END);
          }
        });
  }

  /** Ends the response as it should. */
  void end() {
    writing(
        out -> {
          finished = true;
          if (chunked) {
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          }
          out.flush();
          if (lastOfConnection) {
            socket.shutdownOutput();
          }
        });
    over.countDown();
  }

  /** Resets the connection: the client sees RST. */
  void reset() {
    cut(true);
  }

  /** Closes the connection where it is: the client sees its end, in mid-body if there is one. */
  void close() {
    cut(false);
  }

  /** The connection has ended, for whatever reason. */
  void connectionEnded() {
    Runnable action =
        locked(
            () -> {
              boolean early = !finished && !gone;
              gone = gone || early;
              return early ? whenGone : () -> {};
            });
    over.countDown();
    action.run();
  }

  private void cut(boolean reset) {
    locked(() -> finished = true);
    try {
      if (reset) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException e) {
      // The client was faster: the connection is gone, which is what was wanted.
      System.getLogger(HttpResponse.class.getName())
          .log(System.Logger.Level.DEBUG, "reset={0} already closed", reset);
    }
    over.countDown();
  }

  private void head(int status, HttpHeaders headers) {
    writing(
        out -> {
          begun = true;
          if (lastOfConnection) {
            headers.set("Connection", "close");
          }
          out.write(new HttpHead("HTTP/1.1 " + status + " Status", headers).bytes());
          out.flush();
        });
  }

  private void writing(Write write) {
    boolean broken =
        locked(
            () -> {
              if (gone || finished) {
                return false;
              }
              try {
                OutputStream out = socket.getOutputStream();
                write.to(out);
                out.flush();
                return false;
              } catch (IOException e) {
                return true;
              }
            });
    if (broken) {
      connectionEnded();
    }
  }

  private <T> T locked(Supplier<T> action) {
    writing.lock();
    try {
      return action.get();
    } finally {
      writing.unlock();
    }
  }

  private interface Write {
    void to(OutputStream out) throws IOException;
  }
}
