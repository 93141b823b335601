package dev.callbound.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An MCP server over Streamable HTTP that does nothing, fast: two tools, one that reads and one
 * that writes, each answered at once with the number it was called with. It counts the calls it has
 * carried out, which {@code GET /ledger} tells, so that a bench can check that what it counted is
 * what happened.
 *
 * <p>It speaks one revision, given as its argument: 2025-11-25, with sessions, or 2026-07-28.
 * Prints its URL.
 */
final class LoadServer {

  private static final String TOOLS =
      """
      {"tools":[\
      {"name":"read_item","description":"Reads an item","annotations":{"readOnlyHint":true},\
      "inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}},\
      {"name":"write_item","description":"Writes an item",\
      "inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]\
      """;
  private static final String INFO =
      "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"load\",\"version\":\"1.0.0\"}";

  private final JsonFactory json = new JsonFactory();
  private final Revision revision;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();

  private LoadServer(Revision revision) {
    this.revision = revision;
  }

  static void main(String[] arguments) throws IOException {
    var server = new LoadServer(Revision.of(arguments[0]));
    try (var listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        var connections = Executors.newVirtualThreadPerTaskExecutor()) {
      System.out.println("http://127.0.0.1:" + listener.getLocalPort() + "/mcp");
      while (true) {
        var socket = listener.accept();
        connections.execute(() -> server.serve(socket));
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      var requests = new MessageReader(socket.getInputStream());
      for (var request = requests.next(); request != null; request = requests.next()) {
        socket.getOutputStream().write(answer(request).getBytes(UTF_8));
      }
    } catch (IOException gone) {
      // The peer closed the connection: there is nobody to tell.
    }
  }

  private String answer(Message request) throws IOException {
    if (request.start().startsWith("GET /ledger")) {
      return response("200 OK", "", "{\"reads\":" + reads + ",\"writes\":" + writes + "}");
    }
    if (!request.start().startsWith("POST")) {
      return response("405 Method Not Allowed", "", "");
    }
    var call = Call.parse(json, request.body());
    return call.id() == null ? response("202 Accepted", "", "") : answer(call, call.id());
  }

  private String answer(Call call, String id) {
    var stateless = revision == Revision.STATELESS;
    return switch (call.method()) {
      case "initialize" ->
          stateless
              ? refuse("404 Not Found", id)
              : response(
                  "200 OK",
                  "Mcp-Session-Id: " + UUID.randomUUID() + "\r\n",
                  result(id, "{\"protocolVersion\":\"" + revision.date() + "\"," + INFO + "}"));
      case "server/discover" ->
          stateless
              ? complete(id, "{\"supportedVersions\":[\"" + revision.date() + "\"]," + INFO)
              // What servers with sessions answer to a request without one.
              : refuse("400 Bad Request", id);
      case "tools/list" -> complete(id, TOOLS);
      case "tools/call" ->
          complete(id, "{\"content\":[{\"type\":\"text\",\"text\":\"" + run(call) + "\"}]");
      case "ping" -> response("200 OK", "", result(id, "{}"));
      default -> refuse(stateless ? "404 Not Found" : "200 OK", id);
    };
  }

  private String run(Call call) {
    if (call.tool().equals("write_item")) {
      writes.incrementAndGet();
      return "wrote " + call.number();
    }
    reads.incrementAndGet();
    return "read " + call.number();
  }

  /** A result that is still open, with what 2026-07-28 wants of one, and its end. */
  private String complete(String id, String result) {
    var rest =
        revision == Revision.STATELESS
            ? ",\"resultType\":\"complete\",\"ttlMs\":60000,\"cacheScope\":\"private\""
            : "";
    return response("200 OK", "", result(id, result + rest + "}"));
  }

  private static String result(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
  }

  private static String refuse(String status, String id) {
    var error = "{\"code\":-32601,\"message\":\"Method not found\"}";
    return response(status, "", "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":" + error + "}");
  }

  private static String response(String status, String headers, String body) {
    // A body of ASCII only: its length in bytes is its length.
    return "HTTP/1.1 "
        + status
        + "\r\n"
        + headers
        + "Content-Type: application/json\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }
}
