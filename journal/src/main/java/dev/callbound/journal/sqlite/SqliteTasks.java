package dev.callbound.journal.sqlite;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.TaskReader;
import dev.callbound.journal.TaskRecord;
import dev.callbound.journal.TaskStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tasks and approvals of a journal that is open for writing. Thread-safe. */
record SqliteTasks(Writer writer, TaskReader onDisk) implements TaskStore {
  /** So few that the writes which wait meanwhile don't notice. */
  private static final int FORGOTTEN_AT_ONCE = 200;

  @Override
  public void detach(String call, Instant at, Instant keptUntil, @Nullable String resend) {
    writer.write(
        new CallWrite(
            call, new CallStep.Detached(at, keptUntil, resend), Durability.ON_DISK, resend));
  }

  @Override
  public void ask(ApprovalRecord asked, Instant keptUntil, @Nullable String resend) {
    writer.write(
        Write.awaitedStep(
            sql -> {
              TaskSql.detach(sql, asked.call(), asked.askedAt(), keptUntil, resend);
              TaskSql.ask(sql, asked);
            }));
  }

  @Override
  public Ruling.Result rule(String call, Ruling ruling) {
    return writer.ask(sql -> TaskSql.rule(sql, call, ruling));
  }

  @Override
  public void cancelled(String call, Instant at) {
    writer.write(Write.awaitedStep(sql -> TaskSql.cancelled(sql, call, at)));
  }

  @Override
  public void failed(String call, String error) {
    writer.write(Write.unawaitedStep(sql -> TaskSql.failed(sql, call, error)));
  }

  @Override
  public int forget(Instant keptBefore) {
    int forgotten = 0;
    for (int gone = FORGOTTEN_AT_ONCE; gone == FORGOTTEN_AT_ONCE; forgotten += gone) {
      gone = writer.ask(sql -> TaskSql.forget(sql, keptBefore, FORGOTTEN_AT_ONCE));
    }
    return forgotten;
  }

  @Override
  public Optional<TaskRecord> task(String call) {
    return onDisk.task(call);
  }

  @Override
  public List<TaskRecord> tasks(String principal, @Nullable String after, int limit) {
    return onDisk.tasks(principal, after, limit);
  }

  @Override
  public Optional<ApprovalRecord> approval(String call) {
    return onDisk.approval(call);
  }

  @Override
  public List<String> ruled() {
    return onDisk.ruled();
  }

  @Override
  public List<ApprovalRecord> waiting(int limit) {
    return onDisk.waiting(limit);
  }
}
