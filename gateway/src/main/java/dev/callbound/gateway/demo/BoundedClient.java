package dev.callbound.gateway.demo;

import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.WireException;
import java.net.URI;

/** A client that goes through the gateway: it calls once, and believes what it is told. */
final class BoundedClient implements AutoCloseable {
  private final McpClient http;
  private final McpClient stdio;

  private BoundedClient(McpClient http, McpClient stdio) {
    this.http = http;
    this.stdio = stdio;
  }

  /**
   * Connects to the gateway.
   *
   * @param gateway the URL of its endpoint
   * @param run what the run of all tasks is called
   */
  static BoundedClient connect(URI gateway, String run) throws InterruptedException {
    return new BoundedClient(
        connect(gateway, DemoConfig.HTTP_SERVER, run),
        connect(gateway, DemoConfig.STDIO_SERVER, run));
  }

  private static McpClient connect(URI gateway, String server, String run)
      throws InterruptedException {
    return McpClient.http(gateway.resolve("/mcp/" + server))
        .name("bounded")
        .header("Callbound-Run", run)
        .connect();
  }

  /** Calls a tool of each server that does no harm, so that nothing is slow for being the first. */
  void warmUp() throws InterruptedException {
    http.call("read_ok", "{}");
    stdio.call("read_ok", "{}");
  }

  /**
   * Does a task.
   *
   * @throws BrokenDemoException if the gateway gives no answer, which it always must
   */
  Told perform(Task task) throws InterruptedException {
    McpClient client =
        switch (task.over()) {
          case HTTP -> http;
          case STDIO -> stdio;
        };
    try {
      return Told.by(client.call(task.tool(), task.markedArguments()));
    } catch (WireException e) {
      throw new BrokenDemoException("the gateway did not answer: " + task.name(), e);
    }
  }

  @Override
  public void close() {
    http.close();
    stdio.close();
  }
}
