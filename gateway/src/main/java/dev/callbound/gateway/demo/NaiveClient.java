package dev.callbound.gateway.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.WireException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client that retries on any error, as the common loops around a tool call do: it asks neither
 * what the error was nor whether the call may have happened. It believes its last answer.
 */
final class NaiveClient {
  static final int ATTEMPTS = 3;
  static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Backend backend;

  NaiveClient(Backend backend) {
    this.backend = backend;
  }

  Belief perform(Task task) throws InterruptedException {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1) {
        Thread.sleep(PAUSE);
      }
      if (succeeds(task)) {
        return Belief.DONE;
      }
    }
    return Belief.FAILED;
  }

  private boolean succeeds(Task task) throws InterruptedException {
    // A session of its own for each attempt: the last one may have died with its server. Connecting
    // is not part of the second that a call is given.
    try (McpClient client = connect(task.over())) {
      JsonNode response =
          client
              .begin(task.tool(), task.markedArguments())
              .response()
              .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return response.has("result") && !response.path("result").path("isError").asBoolean();
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof WireException) {
        return false;
      }
      throw new BrokenDemoException("the client without a gateway failed: " + e.getCause(), e);
    }
  }

  private McpClient connect(Task.Transport transport) throws InterruptedException {
    McpClient.Builder client =
        switch (transport) {
          case HTTP -> McpClient.http(backend.url());
          case STDIO -> McpClient.stdio(backend.command());
        };
    return client.name("naive").connect();
  }
}
