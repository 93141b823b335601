package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * However requests with the same intent meet, it is seen to once, and everyone is answered: those
 * who join from the call, those who come later from the record. Lincheck plays the interleavings.
 */
final class FlightsOrderTest {
  // Made once: whatever is done within an operation is played as well, and taking JSON apart is
  // long.
  private static final Json ID = Json.number(1);
  private static final JsonObject NAMED = JsonObject.of("name", Json.text("test"));

  /** Requests with one intent, as the bridge handles them. */
  public static final class Shared {
    private final Flights flights = new Flights();
    private final AtomicBoolean recorded = new AtomicBoolean();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final Queue<Integer> answered = new ConcurrentLinkedQueue<>();

    /** Asks. Returns whether this request was the one that was sent. */
    @Operation
    public boolean ask() {
      asked.incrementAndGet();
      Audience audience = new Audience(new Questions.Parked(), (_, _, _, _) -> null);
      Flight mine = new Flight("key", "digest", audience);
      Session session =
          new Session(
              new Bridge.Greeting(
                  "local", Revision.V2025_11_25, NAMED, JsonObject.EMPTY, null, "s"));
      Talk talk = new Talk(new Message.Request(ID, "tools/call", JsonObject.EMPTY));
      return switch (flights.enter("place", mine, session, talk, "tool", Stay.TO_THE_END)) {
        case Flights.Entry.Own _ -> {
          boolean first = !recorded.get();
          if (first) {
            sent.incrementAndGet();
            recorded.set(true);
          }
          audience.answer(
              (waiting, _, _) -> {
                waiting.answer(Json.TRUE);
                answered.add(1);
              });
          flights.leave("place", mine);
          yield first;
        }
        case Flights.Entry.Joined _ -> false;
        case Flights.Entry.Taken _, Flights.Entry.Full _ ->
            throw new IllegalStateException("there is one intent, and few ask");
      };
    }

    /** What holds when everyone has returned. */
    @Validate
    public void everyoneIsAnsweredAndNothingWasSentTwice() {
      if (answered.size() != asked.get() || sent.get() > 1) {
        throw new IllegalStateException(
            "asked %d, answered %d, sent %d".formatted(asked.get(), answered.size(), sent.get()));
      }
    }
  }

  /** What it must look like: one after the other. */
  public static final class OneAfterTheOther {
    private boolean sent;

    /** The first is sent. */
    public boolean ask() {
      boolean first = !sent;
      sent = true;
      return first;
    }
  }

  @Test
  void everyInterleavingHasAnOrderThatExplainsIt() {
    new ModelCheckingOptions()
        // There is one operation, so every scenario is the same: what differs is its interleaving.
        .iterations(1)
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(1)
        .sequentialSpecification(OneAfterTheOther.class)
        .check(Shared.class);
  }
}
