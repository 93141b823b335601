package dev.callbound.gateway.door.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One connection to a door, close enough to the socket to send what a good client never would. */
final class Wire implements AutoCloseable {
  /** An answer: its status, its headers by their names in lower case, and its body as text. */
  record Reply(int status, Map<String, String> headers, String body) {
    @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }
  }

  private final Socket socket;
  private final InputStream in;
  private final int port;

  Wire(int port) throws IOException {
    this.port = port;
    socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
    socket.setSoTimeout(15_000);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends a request; headers as NAME: VALUE. One that is given replaces the usual one. */
  Wire send(String method, String path, String body, String... headers) throws IOException {
    return send(method, path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  Wire send(String method, String path, byte[] body, String... headers) throws IOException {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.put("Host", "127.0.0.1:" + port);
    all.put("Accept", "application/json, text/event-stream");
    if (body.length > 0) {
      all.put("Content-Type", "application/json");
      all.put("Content-Length", Integer.toString(body.length));
    }
    for (String header : headers) {
      int colon = header.indexOf(':');
      String value = header.substring(colon + 1).strip();
      all.put(header.substring(0, colon), value);
    }
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    all.forEach(
        (name, value) -> {
          if (!value.isEmpty()) {
            head.append(name).append(": ").append(value).append("\r\n");
          }
        });
    head.append("\r\n");
    return raw(head.toString().getBytes(StandardCharsets.US_ASCII)).raw(body);
  }

  Wire raw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** The whole answer. */
  Reply reply() throws IOException {
    Reply head = head();
    String length = head.header("content-length");
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (length != null) {
      body.write(in.readNBytes(Integer.parseInt(length)));
    } else if ("chunked".equals(head.header("transfer-encoding"))) {
      String chunk = chunk();
      while (!chunk.isEmpty()) {
        body.write(chunk.getBytes(StandardCharsets.UTF_8));
        chunk = chunk();
      }
    }
    return new Reply(head.status(), head.headers(), body.toString(StandardCharsets.UTF_8));
  }

  /** The status and the headers of an answer. */
  Reply head() throws IOException {
    String first = line();
    Map<String, String> headers = new TreeMap<>();
    String line = line();
    while (!line.isEmpty()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      line = line();
    }
    return new Reply(Integer.parseInt(first.split(" ", -1)[1]), headers, "");
  }

  /** One chunk of a body; empty for the last. */
  String chunk() throws IOException {
    int size = Integer.parseInt(line(), 16);
    String chunk = new String(in.readNBytes(size), StandardCharsets.UTF_8);
    line();
    return chunk;
  }

  /** The next event that is no comment. */
  String event() throws IOException {
    String chunk = chunk();
    while (chunk.startsWith(":")) {
      chunk = chunk();
    }
    return chunk;
  }

  /** Whether the door closed the connection. */
  boolean ended() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int b = in.read();
    while (b != '\n') {
      if (b < 0) {
        throw new EOFException("the door closed the connection after: " + line);
      }
      if (b != '\r') {
        line.append((char) b);
      }
      b = in.read();
    }
    return line.toString();
  }

  /** Closes with a reset in place of an orderly end. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
