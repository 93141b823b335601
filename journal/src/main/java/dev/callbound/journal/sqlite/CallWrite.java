package dev.callbound.journal.sqlite;

import dev.callbound.journal.Durability;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A record of a call that is to be written. */
final class CallWrite extends Write<Boolean> {
  private final String call;
  private final CallStep step;

  /** What is written in place of the step; the writing thread's alone. Null for the step. */
  private @Nullable Step instead;

  /**
   * A write that is about to be handed in.
   *
   * @param payloads what may be large in it; null where there is nothing
   */
  CallWrite(String call, CallStep step, Durability durability, @Nullable String... payloads) {
    super(durability, length(payloads));
    this.call = call;
    this.step = step;
  }

  private static int length(@Nullable String... payloads) {
    int chars = 0;
    for (String payload : payloads) {
      chars += payload == null ? 0 : payload.length();
    }
    return chars;
  }

  @Override
  String call() {
    return call;
  }

  CallStep step() {
    return step;
  }

  @Override
  boolean isLastOfCall() {
    return step instanceof CallStep.Ended;
  }

  /** Has something else written in its place. */
  void becomes(Step other) {
    instead = other;
  }

  @Override
  Boolean perform(Sql sql) throws SQLException, InconsistentException {
    if (instead == null) {
      step.write(sql, call);
    } else {
      instead.apply(sql);
    }
    return true;
  }
}
