package dev.callbound.journal.sqlite;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.TaskReader;
import dev.callbound.journal.TaskRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what is on disk about tasks and approvals. Thread-safe. */
record TasksOnDisk(SqliteReader reader) implements TaskReader {
  @Override
  public Optional<TaskRecord> task(String call) {
    return reader.read(sql -> TaskSql.find(sql, call));
  }

  @Override
  public List<TaskRecord> tasks(String principal, @Nullable String after, int limit) {
    SqliteReader.requireLimit(limit);
    return reader.read(sql -> TaskSql.tasks(sql, principal, after, limit));
  }

  @Override
  public Optional<ApprovalRecord> approval(String call) {
    return reader.read(sql -> TaskSql.approval(sql, call));
  }

  @Override
  public List<String> ruled() {
    return reader.read(TaskSql::ruled);
  }

  @Override
  public List<ApprovalRecord> waiting(int limit) {
    SqliteReader.requireLimit(limit);
    return reader.read(sql -> TaskSql.waiting(sql, limit));
  }
}
