package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.Replay;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Intent;
import dev.callbound.policy.Past;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Repeat;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What comes of a request whose intent was meant before: it joins the call that is under way, gets
 * what was recorded of the one that ended, or becomes a call itself. {@link Repeat} decides; this
 * finds out what to decide on, and does it. Thread-safe.
 */
final class Repeats {
  private static final System.Logger LOG = System.getLogger(Repeats.class.getName());

  private final JournalStore journal;
  private final InstantSource clock;
  private final Flights flights;
  private final Questions.Parked parked;
  private final TaskBook tasks;
  private final boolean modelSettles;

  /**
   * Repeats that are looked for here and in the journal.
   *
   * @param modelSettles whether a model may say what became of an unknown call
   */
  Repeats(
      JournalStore journal,
      InstantSource clock,
      Flights flights,
      Questions.Parked parked,
      TaskBook tasks,
      boolean modelSettles) {
    this.journal = journal;
    this.clock = clock;
    this.flights = flights;
    this.parked = parked;
    this.tasks = tasks;
    this.modelSettles = modelSettles;
  }

  /** Makes calls of requests. */
  interface Making {
    /**
     * Makes the request a call of its own, to its end.
     *
     * @param follows the unknown call whose truth it is to learn; null without one
     */
    void make(
        Asked asked,
        Intent intent,
        Flight flight,
        @Nullable CallRecord follows,
        Past past,
        @Nullable Deadline keyUntil);

    /** Makes it a call that is turned away. */
    void refuse(Asked asked, Intent intent, Audience audience, Reason.Stopped because, String why);
  }

  /** Handles the request on this thread: until it is answered, or waits with another. */
  void handle(Asked asked, Intent intent, Making making) {
    String key = intent.key();
    String place = Intents.place(intent, key);
    Audience audience = new Audience(parked, tasks);
    Flight mine = new Flight(key, asked.digest(), audience);
    String name = asked.request().name();
    switch (flights.enter(place, mine, asked.session(), asked.talk(), name, asked.stay())) {
      case Flights.Entry.Own _ -> {
        try {
          decide(asked, intent, key, mine, making);
        } catch (RuntimeException | Error e) {
          // Whoever joined waits for this thread alone.
          audience.fail(Unrecorded.error(e));
          throw e;
        } finally {
          flights.leave(place, mine);
        }
      }
      case Flights.Entry.Joined(Flight other) ->
          other.withCall(call -> note(asked, call, RepeatRecord.Kind.JOINED));
      case Flights.Entry.Taken(Flight other) -> {
        other.withCall(call -> note(asked, call, RepeatRecord.Kind.CONFLICT));
        audience.join(asked.session(), asked.talk(), name, asked.stay());
        conflict(asked, intent, audience, "a call that is under way has other arguments", making);
      }
      case Flights.Entry.Full _ ->
          asked
              .talk()
              .fail(
                  RpcError.of(
                      RpcError.INTERNAL_ERROR, "too many wait for this call already; come later"));
    }
  }

  private void decide(Asked asked, Intent intent, String key, Flight flight, Making making) {
    String step = intent.step();
    Optional<CallRecord> earlier =
        step == null
            ? journal.latestOfKey(key)
            : journal.latestOfStep(intent.run(), step, intent.server(), intent.tool());
    ToolConfig bounds = asked.bounds();
    Recognise recognise = Order.recognise(bounds, asked.effect().effect(), asked.params());
    Deadline keyUntil = KeyLife.until(recognise, key, journal, clock);
    boolean same =
        earlier
            .filter(call -> key.equals(call.key()))
            .filter(call -> asked.digest().equals(call.argumentsDigest()))
            .isPresent();
    boolean forgotten = keyUntil != null && keyUntil.atNanos() - System.nanoTime() <= 0;
    Repeat repeat =
        Repeat.decide(
            first(earlier), step != null, recognise.kind(), forgotten, bounds.repeats(), same);
    switch (repeat) {
      case RUN -> making.make(asked, intent, flight, null, Past.NOTHING, keyUntil);
      case ASK -> {
        CallRecord first = earlier.orElseThrow();
        making.make(asked, intent, flight, first, Past.unknown(doubt(first)), keyUntil);
      }
      case REPLAY -> replay(asked, earlier.orElseThrow(), flight);
      case TOLD, JOIN -> told(asked, earlier.orElseThrow(), flight);
      case CONFLICT -> {
        CallRecord first = earlier.orElseThrow();
        note(asked, first.id(), RepeatRecord.Kind.CONFLICT);
        conflict(
            asked,
            intent,
            flight.audience(),
            "call " + first.id() + " had other arguments",
            making);
      }
    }
  }

  private static Repeat.First first(Optional<CallRecord> earlier) {
    if (earlier.isEmpty()) {
      return Repeat.First.NONE;
    }
    Ending ending = earlier.get().ending();
    if (ending == null) {
      return Repeat.First.OPEN;
    }
    return switch (ending.status()) {
      case OK -> Repeat.First.OK;
      case STOPPED -> Repeat.First.STOPPED;
      case UNKNOWN -> Repeat.First.UNKNOWN;
    };
  }

  private static Reason.Unknown doubt(CallRecord call) {
    Ending ending = call.ending();
    return ending != null && ending.reason() instanceof Reason.Unknown doubt
        ? doubt
        : Reason.Unknown.WORKER_DIED;
  }

  private void replay(Asked asked, CallRecord first, Flight flight) {
    flight.isCall(first.run(), first.id());
    Optional<Replay> kept = journal.replay(first.id());
    note(asked, first.id(), RepeatRecord.Kind.REPLAYED);
    flight
        .audience()
        .answer(
            (talk, session, name) -> {
              Answers.Repeated of = repeated(name, first, asked);
              Json result =
                  kept.map(
                          replay -> Answers.replayed(Json.of(replay.result()), replay.masked(), of))
                      .orElseGet(() -> Answers.happened(session.revision(), of));
              talk.answer(Audience.translated(session, result));
            });
  }

  private void told(Asked asked, CallRecord first, Flight flight) {
    flight.isCall(first.run(), first.id());
    note(asked, first.id(), RepeatRecord.Kind.TOLD);
    flight
        .audience()
        .answer(
            (talk, session, name) ->
                talk.answer(
                    Answers.stillUnknown(
                        session.revision(), doubt(first), repeated(name, first, asked))));
  }

  private Answers.Repeated repeated(String name, CallRecord first, Asked asked) {
    return new Answers.Repeated(
        name,
        first,
        Duration.between(first.startedAt(), clock.instant()),
        asked.bounds().deadline(),
        modelSettles);
  }

  private static void conflict(
      Asked asked, Intent intent, Audience audience, String because, Making making) {
    String what = intent.step() == null ? "its key" : "the step " + intent.step();
    making.refuse(
        asked,
        intent,
        audience,
        Reason.Stopped.KEY_CONFLICT,
        what + " stands for something else: " + because);
  }

  /** What a repeat got is worth a line, and not worth failing it for. */
  private void note(Asked asked, String call, RepeatRecord.Kind kind) {
    try {
      journal.repeated(
          new RepeatRecord(
              call, clock.instant(), kind, asked.request().step(), asked.session().title()));
    } catch (JournalException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "call={0} repeat={1} recorded=no {2}",
          call,
          kind.code(),
          e.getMessage());
    }
  }
}
