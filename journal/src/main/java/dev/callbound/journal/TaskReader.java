package dev.callbound.journal;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of calls that go on without their client, and of those that wait for a person.
 * Holds what {@link JournalReader} says of itself.
 */
public interface TaskReader {
  /** The task of a call; empty where no client was told to come back for it, or it is forgotten. */
  Optional<TaskRecord> task(String call);

  /**
   * The tasks of a principal, in the order in which their calls were made.
   *
   * @param after the last call that the reader has seen; null to begin
   */
  List<TaskRecord> tasks(String principal, @Nullable String after, int limit);

  /** What is known of a call's waiting for a person; empty where it never did. */
  Optional<ApprovalRecord> approval(String call);

  /** The calls that a ruling was given on, and that have not ended. */
  List<String> ruled();

  /** The calls that wait for a person, the oldest first. */
  List<ApprovalRecord> waiting(int limit);
}
