package dev.callbound.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;

/**
 * A client of one MCP endpoint on one kept-alive connection, with a session of its own where the
 * revision has sessions. It checks each answer: a call that is not answered with the result that
 * belongs to it throws. Not thread-safe.
 */
final class McpConnection implements AutoCloseable {

  private final Revision revision;
  private final Socket socket;
  private final MessageReader answers;
  private final String head;
  private final String meta;
  private String session = "";
  private long lastId;

  McpConnection(URI endpoint, Revision revision) throws IOException {
    this.revision = revision;
    this.socket = new Socket(endpoint.getHost(), endpoint.getPort());
    socket.setTcpNoDelay(true);
    this.answers = new MessageReader(socket.getInputStream());
    this.head =
        "POST %s HTTP/1.1\r\nHost: %s:%d\r\nMCP-Protocol-Version: %s\r\n"
                .formatted(
                    endpoint.getPath(), endpoint.getHost(), endpoint.getPort(), revision.date())
            + "Content-Type: application/json\r\n"
            + "Accept: application/json, text/event-stream\r\n";
    this.meta =
        ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\""
            + revision.date()
            + "\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"load\",\"version\":\"1.0.0\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
    if (revision == Revision.SESSIONS) {
      initialize();
    }
  }

  private void initialize() throws IOException {
    var client = "\"clientInfo\":{\"name\":\"load\",\"version\":\"1.0.0\"},\"capabilities\":{}";
    var answer =
        post(
            "", message("initialize", "\"protocolVersion\":\"" + revision.date() + "\"," + client));
    session = "Mcp-Session-Id: " + answer.headers().getOrDefault("mcp-session-id", "none") + "\r\n";
    post("", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
  }

  /**
   * Calls a tool with a number that no other call has.
   *
   * @throws ProtocolException if the answer is not the result of this call
   */
  void call(Operation operation, long number) throws IOException {
    var params = "\"name\":\"" + operation.tool() + "\",\"arguments\":{\"n\":" + number + "}";
    var answer =
        revision == Revision.SESSIONS
            ? post("", message("tools/call", params))
            : post(
                "Mcp-Method: tools/call\r\nMcp-Name: " + operation.tool() + "\r\n",
                message("tools/call", params + meta));
    if (!answer.body().contains("\"id\":" + lastId)
        || !answer.body().contains("\"" + operation.past() + " " + number + "\"")) {
      throw new ProtocolException("call " + number + " was answered with " + answer.body());
    }
  }

  private String message(String method, String params) {
    lastId++;
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + lastId
        + ",\"method\":\""
        + method
        + "\",\"params\":{"
        + params
        + "}}";
  }

  private Message post(String headers, String body) throws IOException {
    // A body of ASCII only: its length in bytes is its length.
    var request = head + session + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    socket.getOutputStream().write(request.getBytes(UTF_8));
    var answer = answers.next();
    if (answer == null) {
      throw new ProtocolException("the connection was closed instead of answering " + body);
    }
    if (!answer.start().startsWith("HTTP/1.1 20")) {
      throw new ProtocolException(answer.start() + " " + answer.body());
    }
    return answer;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
