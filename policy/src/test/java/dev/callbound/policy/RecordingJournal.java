package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A journal that keeps what it is told, in order, and can fail at a chosen entry. */
final class RecordingJournal implements Journal {
  sealed interface Entry {
    record Begun(Attempt attempt) implements Entry {}

    record Ended(Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision)
        implements Entry {}

    record TakenUp(int number, Failure failure, Decision decision) implements Entry {}

    record Over(Outcome<?> outcome) implements Entry {}

    /** Not the journal's: the test notes that the upstream was asked. */
    record Sent(int number) implements Entry {}
  }

  /** Thrown where the disk is full. */
  static final class DiskFull extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final List<Entry> entries = new ArrayList<>();
  private int room = Integer.MAX_VALUE;

  /** Lets so many more entries be written, and none after them. */
  void leaveRoomFor(int more) {
    room = more;
  }

  void sent(Attempt attempt) {
    entries.add(new Entry.Sent(attempt.number()));
  }

  @Override
  public void begun(Attempt attempt) {
    write(new Entry.Begun(attempt));
  }

  @Override
  public void ended(
      Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision) {
    write(new Entry.Ended(attempt, waited, failure, decision));
  }

  @Override
  public void takenUp(int number, Failure failure, Decision decision) {
    write(new Entry.TakenUp(number, failure, decision));
  }

  @Override
  public void ended(Outcome<?> outcome) {
    write(new Entry.Over(outcome));
  }

  private void write(Entry entry) {
    if (room-- <= 0) {
      throw new DiskFull();
    }
    entries.add(entry);
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  List<Entry.Ended> attempts() {
    return only(Entry.Ended.class);
  }

  List<Decision> decisions() {
    return attempts().stream().map(Entry.Ended::decision).toList();
  }

  /** The one outcome, which is the last entry. */
  Outcome<?> outcome() {
    assertThat(only(Entry.Over.class)).hasSize(1);
    return ((Entry.Over) entries.getLast()).outcome();
  }

  <E extends Entry> List<E> only(Class<E> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
