package dev.callbound.policy.world;

import dev.callbound.policy.Draw;
import dev.callbound.policy.Finding;
import dev.callbound.policy.world.Book.Entry;
import dev.callbound.policy.world.Book.Row;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks whether an effect is there, no earlier than its absence means something. */
final class Check {
  private static final int TRIES = 2;

  private final World world;
  private final Gateway gateway;
  private final Entry.Opened opened;
  private final Turns.Actor actor;

  Check(World world, Gateway gateway, Entry.Opened opened, Turns.Actor actor) {
    this.world = world;
    this.gateway = gateway;
    this.opened = opened;
    this.actor = actor;
  }

  /**
   * Asks.
   *
   * @param lastEndNanos when the last attempt of this process ended, which is not on record yet
   */
  Finding<String> ask(Duration atMost, @Nullable Long lastEndNanos) {
    long by = world.time().nanos() + atMost.toNanos();
    Long settled = settled(lastEndNanos);
    if (settled == null) {
      return new Finding.Unclear<>("another call is at it");
    }
    if (settled - by >= 0) {
      return new Finding.Unclear<>("its absence would mean nothing in time");
    }
    if (!waits(settled)) {
      return new Finding.Unclear<>("cancelled");
    }
    for (int i = 0; i < TRIES; i++) {
      long answered = world.time().nanos() + Draw.duration(gateway.random(), 1, 5_000).toNanos();
      boolean inTime = answered - by < 0;
      if (!waits(inTime ? answered : by) || !inTime) {
        return new Finding.Unclear<>("no answer");
      }
      if (!Draw.oneIn(gateway.random(), 4)) {
        String result = world.provider().look(opened.key());
        return result == null ? new Finding.Absent<>() : new Finding.Landed<>(result);
      }
    }
    return new Finding.Unclear<>("no answer that could be read");
  }

  /** From when on absence counts; null while another call of the same key is open. */
  private @Nullable Long settled(@Nullable Long lastEndNanos) {
    long latest = gateway.startedNanos();
    for (Row row : world.book().ofKey(opened.key())) {
      boolean own = row.call().equals(opened.call());
      if (!own && row.closed == null) {
        return null;
      }
      for (Book.Tried tried : row.attempts) {
        Entry.Ended end = tried.end();
        long ended =
            end != null
                ? end.atNanos()
                : lastEndNanos != null ? lastEndNanos : gateway.startedNanos();
        latest = ended - latest > 0 ? ended : latest;
      }
    }
    return latest + Provider.SETTLES.toNanos();
  }

  private boolean waits(long untilNanos) {
    long left = untilNanos - world.time().nanos();
    if (left > 0) {
      actor.sleep(Duration.ofNanos(left));
    }
    return !actor.cancelled();
  }
}
