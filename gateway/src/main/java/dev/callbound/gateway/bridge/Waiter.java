package dev.callbound.gateway.bridge;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One client that waits for a call. What it says of itself is guarded by its audience's lock. */
final class Waiter implements Runnable {
  private final Audience audience;
  private final Session session;
  private final String name;
  private final Stay stay;
  private final Questions questions;
  private final AtomicReference<@Nullable Future<?>> alarm = new AtomicReference<>();
  private boolean left;
  private boolean tired;

  Waiter(
      Audience audience,
      Questions.Parked parked,
      Session session,
      Talk talk,
      String name,
      Stay stay) {
    this.audience = audience;
    this.session = session;
    this.name = name;
    this.stay = stay;
    this.questions =
        new Questions(session, talk, parked, this::follow, Questions.Undeclared.REFUSED);
  }

  Session session() {
    return session;
  }

  /** The name that it calls the tool by. */
  String name() {
    return name;
  }

  Handle handle() {
    return stay.handle();
  }

  Questions questions() {
    return questions;
  }

  /** Whether it does not wait any more. */
  boolean left() {
    return left;
  }

  void leave() {
    left = true;
  }

  /** Whether it has waited as long as it will. */
  boolean tired() {
    return tired;
  }

  void tire() {
    tired = true;
  }

  /** Listens for its leaving, and for the end of its patience. Called without the lock. */
  void attend() {
    follow(questions.talk());
    if (session.revision().hasSessions()) {
      session.whenClosed(this);
    }
  }

  /**
   * Whether it has been asked something and comes back with the answer: until then it waits not.
   */
  boolean isAway() {
    return questions.talk().isAnswered();
  }

  /** Lets its patience end after this time. */
  void ring(Duration time) {
    silence(alarm.getAndSet(Alarms.after(time, () -> audience.tired(this))));
  }

  private static void silence(@Nullable Future<?> ringing) {
    if (ringing != null) {
      ringing.cancel(false);
    }
  }

  /** It is not there any more. */
  @Override
  public void run() {
    audience.departed(this, Audience.Departure.GONE);
  }

  private void follow(Talk talk) {
    session.cancellable(
        talk.request().id(), () -> audience.departed(this, Audience.Departure.CANCELLED));
    if (!session.revision().hasSessions()) {
      // Since 2026-07-28 a client cancels by going away; before, it may come back.
      talk.whenLeft(this);
    }
    Duration atMost = stay.atMost();
    if (atMost != null) {
      ring(atMost.minus(talk.age()));
    }
  }

  /** It waits no more. Returns the conversation in which it is answered. */
  Talk over() {
    Talk talk = questions.talk();
    session.over(talk.request().id());
    session.notWhenClosed(this);
    silence(alarm.getAndSet(null));
    return talk;
  }
}
