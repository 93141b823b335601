package dev.callbound.gateway.cli;

import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import java.net.URI;

/**
 * An agent that {@code exec} starts: calls a tool by what its environment says, and prints the
 * answer.
 */
final class ExecAgent {
  private ExecAgent() {}

  /** Calls the tool that is named first, with the arguments that come second. */
  public static void main(String[] arguments) throws InterruptedException {
    URI url = URI.create(System.getenv("CALLBOUND_URL"));
    String run = System.getenv("CALLBOUND_RUN");
    try (McpClient client = McpClient.http(url).connect()) {
      System.out.println(
          client.call(
              McpRequest.call(arguments[0], arguments[1])
                  .meta("dev.callbound/run", "\"" + run + "\"")));
    }
  }
}
