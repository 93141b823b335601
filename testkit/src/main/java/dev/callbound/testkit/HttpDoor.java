package dev.callbound.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Listens on a port and gives every connection a virtual thread. It can stop listening for a while,
 * and it can die: every open connection is reset, as when a process is killed. Thread-safe.
 */
final class HttpDoor implements AutoCloseable {
  private static final int BACKLOG = 1024;

  private final InetSocketAddress address;
  private final Duration idleTimeout;

  /** Below these and above those that well-known services use. */
  private static final int LOWEST_PORT = 20_000;

  private static final Duration LETTING_GO = Duration.ofMillis(20);

  /** Where Linux begins to take ports for outgoing connections, unless it is told otherwise. */
  private static final int LOWEST_EPHEMERAL_PORT = 32_768;

  private static final int PORT_ATTEMPTS = 100;

  private final HttpConnection.Handler handler;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile Listener listener;
  private volatile boolean closed;

  /** A socket that listens, and whether its loop of accepting has ended. */
  private record Listener(ServerSocket socket, CountDownLatch ended) {
    Listener(ServerSocket socket) {
      this(socket, new CountDownLatch(1));
    }

    /**
     * Returns when nobody can connect any more: a socket closed under a virtual thread that waits
     * in accept goes on listening until that thread has woken up.
     */
    void close() throws IOException {
      socket.close();
      try {
        ended.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Listens; port 0 picks a free one.
   *
   * @throws UncheckedIOException if the port is taken
   */
  HttpDoor(String host, int port, Duration idleTimeout, HttpConnection.Handler handler) {
    this.idleTimeout = idleTimeout;
    this.handler = handler;
    this.listener = listen(new InetSocketAddress(host, port));
    this.address = new InetSocketAddress(host, listener.socket().getLocalPort());
    threads.execute(() -> accept(listener));
  }

  int port() {
    return address.getPort();
  }

  /** The address of this server with that path. */
  URI url(String path) {
    return URI.create("http://" + address.getHostString() + ":" + port() + path);
  }

  /** Cuts what is open and listens to nobody for this long. Returns at once. */
  void refuse(Duration duration) {
    shut(false);
    threads.execute(() -> listenAgainAfter(duration));
  }

  /** Dies as a killed process does: resets every connection, and nothing that ran goes on. */
  void die() {
    closed = true;
    shut(true);
    threads.shutdownNow();
  }

  @Override
  public void close() {
    closed = true;
    shut(false);
    threads.shutdownNow();
  }

  private void listenAgainAfter(Duration pause) {
    try {
      Thread.sleep(pause);
      if (!closed) {
        Listener next = listen(address);
        listener = next;
        accept(next);
      }
    } catch (InterruptedException e) {
      // The door is being closed.
      Thread.currentThread().interrupt();
    }
  }

  private static Listener listen(InetSocketAddress address) {
    try {
      return new Listener(address.getPort() == 0 ? anyPort(address) : samePort(address));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on " + address, e);
    }
  }

  /**
   * Listens on a port that the system gives to no outgoing connection: one that is let go of, for a
   * server to die and come back, must be free when it does.
   */
  private static ServerSocket anyPort(InetSocketAddress address) throws IOException {
    for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, LOWEST_EPHEMERAL_PORT);
      try {
        return bound(new InetSocketAddress(address.getAddress(), port));
      } catch (BindException _) {
        System.getLogger(HttpDoor.class.getName())
            .log(System.Logger.Level.DEBUG, "port={0} taken, another is tried", port);
      }
    }
    return bound(address);
  }

  /** Listens on the port of an earlier life, which may take a moment to let go of it. */
  private static ServerSocket samePort(InetSocketAddress address) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return bound(address);
      } catch (BindException e) {
        if (attempt == PORT_ATTEMPTS) {
          throw e;
        }
        try {
          Thread.sleep(LETTING_GO);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw e;
        }
      }
    }
  }

  private static ServerSocket bound(InetSocketAddress address) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(address, BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void accept(Listener listening) {
    try {
      while (!listening.socket().isClosed()) {
        Socket accepted = listening.socket().accept();
        open.add(accepted);
        threads.execute(() -> serve(accepted));
      }
    } catch (IOException | RejectedExecutionException e) {
      // The listener was closed, by refuse, die or close: that is how this loop ends.
      System.getLogger(HttpDoor.class.getName())
          .log(System.Logger.Level.DEBUG, "port={0} listener closed", String.valueOf(port()));
    } finally {
      listening.ended().countDown();
    }
  }

  private void serve(Socket socket) {
    try {
      new HttpConnection(socket, idleTimeout, handler, threads).serve();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      System.getLogger(HttpDoor.class.getName())
          .log(System.Logger.Level.DEBUG, "a request came while the door was being closed");
    } finally {
      open.remove(socket);
    }
  }

  private void shut(boolean reset) {
    try {
      listener.close();
      for (Socket socket : open) {
        if (reset && !socket.isClosed()) {
          socket.setSoLinger(true, 0);
        }
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
