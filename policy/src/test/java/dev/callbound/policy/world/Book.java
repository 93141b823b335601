package dev.callbound.policy.world;

import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The journal of the world: what was written, in order, and how much of it is on disk. When a
 * process dies, what was not on disk is there up to any place, and not from there on.
 */
final class Book {
  /** The three outcomes. */
  enum Status {
    OK,
    STOPPED,
    UNKNOWN
  }

  /** One write. */
  sealed interface Entry {
    String call();

    record Opened(
        String call, Request request, String key, @Nullable String follows, boolean resend)
        implements Entry {}

    record Begun(String call, int number, long atNanos) implements Entry {}

    record Ended(
        String call, int number, @Nullable Failure failure, Decision.Action action, long atNanos)
        implements Entry {}

    record Closed(
        String call,
        Status status,
        @Nullable Reason reason,
        @Nullable String result,
        int attempts,
        String detail,
        long atNanos)
        implements Entry {}

    record Settled(String call, Status status, @Nullable String result, String by, long atNanos)
        implements Entry {}
  }

  /** An attempt as it is remembered; its end is null until it is known. */
  record Tried(Entry.Begun begun, Entry.@Nullable Ended end) {
    boolean mayHaveRun() {
      return end == null || end.failure() == null || end.failure().mayHaveRun();
    }
  }

  /** A call as it is remembered. */
  static final class Row {
    final Entry.Opened opened;
    final List<Tried> attempts = new ArrayList<>();
    Entry.@Nullable Closed closed;
    Entry.@Nullable Settled settled;

    Row(Entry.Opened opened) {
      this.opened = opened;
    }

    String call() {
      return opened.call();
    }

    Tool tool() {
      return opened.request().tool();
    }

    /** Null while it is open. */
    @Nullable Status status() {
      if (settled != null) {
        return settled.status();
      }
      return closed == null ? null : closed.status();
    }

    @Nullable String result() {
      if (settled != null) {
        return settled.result();
      }
      return closed == null ? null : closed.result();
    }
  }

  private final List<Entry> log = new ArrayList<>();
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private int onDisk;
  private int lostReads;

  /** Writes; what stands before it is on disk when it is. */
  void write(Entry entry, boolean toDisk) {
    log.add(entry);
    apply(entry);
    if (toDisk) {
      onDisk = log.size();
    }
  }

  /** The process has died, and a new one reads what there is. */
  void reopen(SplittableRandom random) {
    int kept = onDisk + random.nextInt(log.size() - onDisk + 1);
    List<Entry> lost = log.subList(kept, log.size());
    for (Entry entry : lost) {
      if (entry instanceof Entry.Begun begun && row(begun.call()).tool().effect == Effect.READ) {
        lostReads++;
      }
    }
    lost.clear();
    onDisk = kept;
    rows.clear();
    log.forEach(this::apply);
  }

  private void apply(Entry entry) {
    switch (entry) {
      case Entry.Opened opened -> rows.put(opened.call(), new Row(opened));
      case Entry.Begun begun -> row(begun.call()).attempts.add(new Tried(begun, null));
      case Entry.Ended ended -> {
        List<Tried> attempts = row(ended.call()).attempts;
        Tried tried = attempts.get(ended.number() - 1);
        attempts.set(ended.number() - 1, new Tried(tried.begun(), ended));
      }
      case Entry.Closed closed -> {
        Row row = row(closed.call());
        if (row.closed != null) {
          throw new AssertionError("closed twice: " + row.closed + ", " + closed);
        }
        row.closed = closed;
      }
      case Entry.Settled settled -> row(settled.call()).settled = settled;
    }
  }

  /** Null where it is not on record. */
  @Nullable Row find(String call) {
    return rows.get(call);
  }

  Row row(String call) {
    Row row = find(call);
    if (row == null) {
      throw new AssertionError("no such call: " + call);
    }
    return row;
  }

  /** Whether the outcome of a call would survive the death of the process. */
  boolean outcomeIsOnDisk(String call) {
    return log.subList(0, onDisk).stream()
        .anyMatch(entry -> entry instanceof Entry.Closed && entry.call().equals(call));
  }

  List<Row> open() {
    return rows.values().stream().filter(row -> row.closed == null).toList();
  }

  List<Row> unknown() {
    return rows.values().stream().filter(row -> row.status() == Status.UNKNOWN).toList();
  }

  List<Row> ofKey(String key) {
    return rows.values().stream().filter(row -> row.opened.key().equals(key)).toList();
  }

  /** The latest call with the same step, else with the same key; null where there is none. */
  @Nullable Row latest(Request request, String key) {
    Row latest = null;
    for (Row row : rows.values()) {
      Request other = row.opened.request();
      boolean sameStep =
          request.step() != null
              && request.step().equals(other.step())
              && other.tool() == request.tool();
      if (sameStep || row.opened.key().equals(key)) {
        latest = row;
      }
    }
    return latest;
  }

  /** The retries that are on record, over all calls. */
  int retries() {
    return rows.values().stream().mapToInt(row -> Math.max(0, row.attempts.size() - 1)).sum();
  }

  /** The attempts of reads whose record was lost: a read doesn't wait for the disk. */
  int lostReads() {
    return lostReads;
  }

  List<Row> rows() {
    return List.copyOf(rows.values());
  }
}
