package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.InFlight;
import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The events of a run as a stream of server-sent events, from the one after {@code Last-Event-ID}
 * on. What is told is what is on disk, so a client that comes back, to this process or a later one,
 * misses nothing and gets nothing twice. The journal is looked at again and again: another process
 * may settle a call.
 *
 * <p>The stream ends when nothing more is to be expected. A client that asks again after that is
 * answered 204, which tells an {@code EventSource} to stop (HTML, server-sent events). Thread-safe.
 */
final class RunEvents implements Handler, AutoCloseable {
  /** How many may watch at once. */
  private static final int MOST_STREAMS = 1_000;

  private static final int PAGE = 200;

  /** More of what was given for an id is not repeated. */
  private static final int LONGEST_ID = 40;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  /** A comment line after so long a silence lets a client that has gone be noticed. */
  private static final Duration BEAT = Duration.ofSeconds(1);

  private final Gate gate;
  private final RunsPort runs;
  private final InFlight streams = new InFlight();
  private final CountDownLatch closing = new CountDownLatch(1);

  RunEvents(Gate gate, RunsPort runs) {
    this.gate = gate;
    this.runs = runs;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    try {
      String principal = gate.admit(request.headers());
      MediaRules.checkAccepted(request.headers(), MediaRules.EVENTS);
      long after = lastEvent(request);
      if (!streams.enter(MOST_STREAMS)) {
        throw RefusedException.of(
                Status.SERVICE_UNAVAILABLE_503,
                MOST_STREAMS + " streams of events are open already")
            .with(HeaderNames.RETRY_AFTER, "5");
      }
      try {
        answer(principal, Api.id(request), after, response);
      } finally {
        streams.leave();
      }
    } catch (RefusedException e) {
      Api.refuse(response, e);
    }
  }

  private static long lastEvent(ServerRequest request) throws RefusedException {
    String last = request.headers().first(HeaderField.LAST_EVENT_ID).orElse("0");
    if (!last.matches("\\d{1,18}")) {
      throw noEvent(last);
    }
    return Long.parseLong(last);
  }

  private static RefusedException noEvent(String id) {
    return Api.invalid(
        "Last-Event-ID must be the id of an event of this run; without it they begin with the first: "
            + Api.cut(id, LONGEST_ID));
  }

  /** Whether the run has not come to an event of this number. */
  private boolean isBeyond(String principal, String id, long number) {
    return number > 0
        && runs.events(principal, id, number - 1, 1)
            .filter(upTo -> !upTo.events().isEmpty())
            .isEmpty();
  }

  /** How many are open. */
  int open() {
    return streams.count();
  }

  private void answer(String principal, String id, long after, ServerResponse response)
      throws RefusedException {
    RunsPort.Events first = runs.events(principal, id, after, PAGE).orElse(null);
    if (first == null) {
      Api.send(response, Api.noRun(id));
    } else if (first.events().isEmpty() && isBeyond(principal, id, after)) {
      // Waiting for more would leave out all up to it.
      throw noEvent(Long.toString(after));
    } else if (first.last() && first.events().isEmpty()) {
      response.status(Status.NO_CONTENT_204).send();
    } else {
      try {
        write(principal, id, after, first, new EventStream(response));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CloseConnectionException("the stream is over", e);
      }
    }
  }

  private void write(
      String principal, String id, long after, RunsPort.Events first, EventStream stream)
      throws InterruptedException {
    // The headers must not wait for the first event.
    stream.comment();
    long told = after;
    long said = System.nanoTime();
    RunsPort.Events next = first;
    while (true) {
      for (RunsPort.Event event : next.events()) {
        stream.event(Long.toString(event.number()), event.kind(), json(event));
        told = event.number();
        said = System.nanoTime();
      }
      // A page that is full is followed by the next at once.
      if (next.last() || (next.events().size() < PAGE && closesWithin(BETWEEN_LOOKS))) {
        return;
      }
      if (System.nanoTime() - said >= BEAT.toNanos()) {
        stream.comment();
        said = System.nanoTime();
      }
      next = runs.events(principal, id, told, PAGE).orElse(null);
      if (next == null) {
        // It has been forgotten meanwhile.
        return;
      }
    }
  }

  private boolean closesWithin(Duration time) throws InterruptedException {
    return closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Json json(RunsPort.Event event) {
    JsonObject json = JsonObject.of("at", Json.text(event.at().toString()));
    for (Map.Entry<String, Json> member : event.data().members().entrySet()) {
      json = json.with(member.getKey(), member.getValue());
    }
    return json.toJson();
  }

  /** Ends the streams that are open, and soon those that are opened. */
  @Override
  public void close() {
    closing.countDown();
  }
}
