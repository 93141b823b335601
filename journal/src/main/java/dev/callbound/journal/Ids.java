package dev.callbound.journal;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes ids: a prefix that says what it names, and a ULID in lower case.
 *
 * <p>An id sorts after every id that the same maker has made before it, also when the clock is set
 * back, so records lie on disk in the order in which they were made. 48 bits of milliseconds and 80
 * random bits, in Crockford's base 32 without i, l, o and u. Thread-safe.
 */
public final class Ids {
  /** What the id of a run begins with. */
  public static final String RUN = "r_";

  /** What the id of a call begins with. */
  public static final String CALL = "c_";

  private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
  private static final int TIME_DIGITS = 10;
  private static final int HALF_DIGITS = 8;
  private static final long HALF = 1L << 40;

  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock lock = new ReentrantLock();
  private long lastMillis;
  private long high;
  private long low;

  /** Ids that carry the time of this clock. */
  public Ids(InstantSource clock) {
    this.clock = clock;
  }

  /** A new id for a run. */
  public String run() {
    return RUN + next();
  }

  /** A new id for a call. */
  public String call() {
    return CALL + next();
  }

  /** The least id that a call made at this time can have. */
  public static String firstCallAt(Instant time) {
    return CALL + first(time);
  }

  /** The least id that a run made at this time can have. */
  public static String firstRunAt(Instant time) {
    return RUN + first(time);
  }

  private static String first(Instant time) {
    return text(Math.max(0, time.toEpochMilli()), 0, 0);
  }

  private String next() {
    long now = clock.millis();
    lock.lock();
    try {
      if (now > lastMillis) {
        lastMillis = now;
        high = random.nextLong(HALF);
        low = random.nextLong(HALF);
      } else if (++low == HALF) {
        // A carry out of the upper half borrows a millisecond from the future: still in order.
        low = 0;
        if (++high == HALF) {
          high = 0;
          lastMillis++;
        }
      }
      return text(lastMillis, high, low);
    } finally {
      lock.unlock();
    }
  }

  private static String text(long millis, long high, long low) {
    char[] text = new char[TIME_DIGITS + 2 * HALF_DIGITS];
    write(millis, text, 0, TIME_DIGITS);
    write(high, text, TIME_DIGITS, HALF_DIGITS);
    write(low, text, TIME_DIGITS + HALF_DIGITS, HALF_DIGITS);
    return new String(text);
  }

  private static void write(long value, char[] text, int from, int digits) {
    long rest = value;
    for (int i = from + digits - 1; i >= from; i--) {
      text[i] = DIGITS[(int) (rest & 31)];
      rest >>>= 5;
    }
  }
}
