package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.JsonRpc;
import dev.callbound.testkit.wire.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The stream that a client opens with GET, for what the server has to say unasked. */
public final class StandaloneStream implements AutoCloseable {
  private final HttpCall http;
  private final CountDownLatch ended = new CountDownLatch(1);

  StandaloneStream(HttpCall http) {
    this.http = http;
  }

  /** Waits until either side has ended the stream, and says whether it has. */
  public boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    http.close();
  }

  void read(InputStream body, Consumer<JsonNode> messages) {
    SseReader events = new SseReader(body);
    try (http) {
      for (SseReader.Event event = events.next(); event != null; event = events.next()) {
        if (!event.data().isEmpty()) {
          messages.accept(JsonRpc.parse(event.data()));
        }
      }
    } catch (IOException e) {
      System.getLogger(StandaloneStream.class.getName())
          .log(System.Logger.Level.DEBUG, "the stream was cut", e);
    } finally {
      ended.countDown();
    }
  }
}
