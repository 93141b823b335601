package dev.callbound.journal.sqlite;

import dev.callbound.journal.Ending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one group of writes that were opened, attempted once and ended before any of it was
 * written, as most reads are. Such a call is written once, as it is in the end: two rows that are
 * inserted, in place of two that are inserted and then changed. What is on disk after the group is
 * the same.
 */
final class WholeCalls {
  private static final Write.Step NOTHING = _ -> {};

  private final Map<String, Beginning> open = new HashMap<>();

  private WholeCalls() {}

  /** Lets the write that ends such a call do what all of its writes would do. */
  static void gather(List<Write<?>> group) {
    WholeCalls calls = new WholeCalls();
    for (Write<?> write : group) {
      if (write instanceof CallWrite ofCall) {
        calls.see(ofCall);
      }
    }
  }

  private void see(CallWrite write) {
    switch (write.step()) {
      case CallStep.Opened opened -> {
        if (opened.record().arguments() == null && opened.resend() == null) {
          open.put(write.call(), new Beginning(write, opened));
        }
      }
      case CallStep.Begun begun -> {
        Beginning beginning = open.get(write.call());
        if (beginning != null) {
          beginning.attempt(write, begun);
        }
      }
      case CallStep.AttemptEnded _, CallStep.Detached _ -> open.remove(write.call());
      case CallStep.Ended ended -> {
        Beginning beginning = open.remove(write.call());
        if (beginning != null) {
          beginning.end(write, ended);
        }
      }
    }
  }

  /** A call that was opened in this group, and what has come of it. */
  private static final class Beginning {
    private final CallWrite opening;
    private final CallStep.Opened opened;
    private @Nullable CallWrite beginning;
    private CallStep.@Nullable Begun begun;

    Beginning(CallWrite opening, CallStep.Opened opened) {
      this.opening = opening;
      this.opened = opened;
    }

    void attempt(CallWrite write, CallStep.Begun attempt) {
      beginning = write;
      begun = attempt;
    }

    void end(CallWrite write, CallStep.Ended ended) {
      CallWrite attempting = beginning;
      CallStep.Begun attempt = begun;
      CallStep.AttemptEnded last = ended.last();
      boolean whole =
          ended.ending().status() != Ending.Status.UNKNOWN
              && ended.ending().result() == null
              && ended.replay() == null;
      if (whole && attempting != null && attempt != null && last != null) {
        opening.becomes(NOTHING);
        attempting.becomes(NOTHING);
        write.becomes(
            sql -> {
              CallSql.ended(sql, opened.record(), ended.ending());
              CallSql.ended(sql, opened.record(), attempt.attempt(), last.end());
            });
      }
    }
  }
}
