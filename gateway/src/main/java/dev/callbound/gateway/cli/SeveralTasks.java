package dev.callbound.gateway.cli;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.TaskReader;
import dev.callbound.journal.TaskRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tasks and approvals of journals that lie beside each other, read as one. */
record SeveralTasks(List<TaskReader> journals) implements TaskReader {
  @Override
  public Optional<TaskRecord> task(String call) {
    return first(journal -> journal.task(call));
  }

  @Override
  public List<TaskRecord> tasks(String principal, @Nullable String after, int limit) {
    return journals.stream()
        .flatMap(journal -> journal.tasks(principal, after, limit).stream())
        .sorted(Comparator.comparing(TaskRecord::call))
        .limit(limit)
        .toList();
  }

  @Override
  public Optional<ApprovalRecord> approval(String call) {
    return first(journal -> journal.approval(call));
  }

  @Override
  public List<String> ruled() {
    return journals.stream().flatMap(journal -> journal.ruled().stream()).toList();
  }

  @Override
  public List<ApprovalRecord> waiting(int limit) {
    return journals.stream()
        .flatMap(journal -> journal.waiting(limit).stream())
        .sorted(Comparator.comparing(ApprovalRecord::call))
        .limit(limit)
        .toList();
  }

  private <T> Optional<T> first(Function<TaskReader, Optional<T>> look) {
    return journals.stream().flatMap(journal -> look.apply(journal).stream()).findFirst();
  }
}
