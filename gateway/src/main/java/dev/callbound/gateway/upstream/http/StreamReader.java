package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.Unattended;
import dev.callbound.policy.Failure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an answer in a stream of events, and comes back for it when the stream broke off: up to
 * 2025-11-25 a stream whose events have ids can be resumed with a GET, which asks for the same
 * answer and never makes a second call. Thread-safe.
 */
final class StreamReader {
  /** Resumptions in a row that brought nothing new. */
  private static final int MAX_IN_VAIN = 5;

  private static final Duration DEFAULT_RETRY = Duration.ofMillis(500);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  private final Sender sender;

  StreamReader(Sender sender) {
    this.sender = sender;
  }

  /** How the wait ended. */
  sealed interface End {
    /** The answer came. */
    record Answered(Message.Response response) implements End {}

    /** It will not come any more. */
    record Lost(Failure failure) implements End {}
  }

  /** Reads until the answer is there, or is lost. */
  End await(Answer answer, InFlight waiting, Terms terms, Exchange exchange, int limitBytes)
      throws IOException {
    Position position = new Position();
    End end = read(answer, waiting, exchange, position, limitBytes);
    while (end instanceof End.Lost && terms.revision().hasSessions() && position.resumable()) {
      pause(position.retry());
      exchange.note("the stream broke off and was asked for again");
      position.inVain++;
      End resumed = resume(waiting, terms, exchange, position, limitBytes);
      if (resumed == null) {
        return end;
      }
      end = resumed;
    }
    return end;
  }

  /** Where a stream stood when it broke off. */
  private static final class Position {
    private @Nullable String lastEventId;
    private long retryMillis = DEFAULT_RETRY.toMillis();
    private int inVain;
    private boolean garbled;

    boolean resumable() {
      return lastEventId != null && inVain < MAX_IN_VAIN && !garbled;
    }

    Duration retry() {
      return Duration.ofMillis(Math.min(retryMillis, LONGEST_RETRY.toMillis()));
    }

    void take(EventStream events) {
      String id = events.lastEventId();
      if (id != null && !id.equals(lastEventId)) {
        lastEventId = id;
        inVain = 0;
      }
      if (events.retryMillis() >= 0) {
        retryMillis = events.retryMillis();
      }
    }
  }

  /** Null when the server does not give the rest of the stream. */
  private @Nullable End resume(
      InFlight waiting, Terms terms, Exchange exchange, Position position, int limitBytes)
      throws IOException {
    Evidence nobodys = new Evidence(new Unattended(terms.revision()));
    Answer answer;
    try {
      answer =
          sender.send(
              new Sender.Outgoing("GET", Headers.stream(terms, position.lastEventId), null),
              nobodys);
    } catch (IOException e) {
      checkInterrupt();
      return new End.Lost(
          new Failure.Broken("the stream could not be resumed: " + WireFailures.text(e)));
    }
    try (answer) {
      if (answer.status() >= 500) {
        return new End.Lost(
            new Failure.Broken("the stream could not be resumed: status " + answer.status()));
      }
      if (answer.status() != 200 || !answer.mediaType().equals("text/event-stream")) {
        return null;
      }
      return read(answer, waiting, exchange, position, limitBytes);
    }
  }

  private End read(
      Answer answer, InFlight waiting, Exchange exchange, Position position, int limitBytes)
      throws IOException {
    EventStream events = new EventStream(answer.body(), limitBytes);
    String why = "the stream ended before the answer";
    try {
      EventStream.Item item;
      while ((item = events.next()) != null) {
        checkInterrupt();
        position.take(events);
        Message.Response response = take(item, waiting, exchange);
        if (response != null) {
          sender.finish(answer);
          return new End.Answered(response);
        }
      }
      position.garbled = waiting.strange();
    } catch (BoundedBody.TooLargeException e) {
      throw e;
    } catch (IOException e) {
      checkInterrupt();
      why = "the stream broke off before the answer: " + WireFailures.text(e);
    }
    position.take(events);
    return new End.Lost(
        position.garbled
            ? new Failure.Garbled("the stream ended with something else than the answer")
            : new Failure.Broken(why));
  }

  private static Message.@Nullable Response take(
      EventStream.Item item, InFlight waiting, Exchange exchange) {
    return switch (item) {
      case EventStream.Item.Event event when event.isMessage() -> waiting.take(event.data());
      case EventStream.Item.Event _, EventStream.Item.Comment _ -> {
        exchange.signOfLife();
        yield null;
      }
    };
  }

  private static void pause(Duration pause) throws IOException {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      checkInterrupt();
    }
  }

  private static void checkInterrupt() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted");
    }
  }
}
