package dev.callbound.journal.sqlite;

import dev.callbound.journal.Health;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes, with group commit.
 *
 * <p>It takes whatever has come in since it last looked, writes it in one transaction with one
 * sync, and only then tells those who wait. While the disk works the next group gathers, so the
 * busier it gets the cheaper a record becomes. A write that does not fit what was recorded before
 * fails alone; a disk that is full or broken fails the whole group, and the next group is tried
 * afresh.
 *
 * <p>Writers that contended for the file themselves stalled for seconds when that was measured.
 */
final class Writer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.callbound.journal");

  private final Connections connections;
  private final Troubles troubles;
  private final WriteQueue queue = new WriteQueue();
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  /** Null after a failure, until the next group. Touched by the writing thread only. */
  private @Nullable Sql sql;

  /**
   * Calls of which a record was lost. They take no more, so that none has a hole in it. Each leaves
   * with its last write, so there are never more than calls in flight. The writing thread's alone.
   */
  private final Set<String> broken = new HashSet<>();

  private final AtomicLong lost = new AtomicLong();
  private volatile @Nullable String failing;

  /** Starts the thread, which takes over the connection. */
  Writer(Sql sql, Connections connections, Troubles troubles) {
    this.sql = sql;
    this.connections = connections;
    this.troubles = troubles;
    Thread.ofPlatform().daemon().name("callbound-journal").start(this::work);
  }

  /** Hands in a write, and waits for it if it is one that is awaited. */
  void write(Write<?> write) {
    handIn(write);
    if (write.isAwaited()) {
      write.await();
    }
  }

  /** Hands in a write, waits for it, and returns what it brought. */
  <T> T ask(Write.Action<T> action) {
    Write<T> write = Write.awaited(action);
    handIn(write);
    return write.await();
  }

  Health health() {
    return new Health(queue.size(), lost.get(), failing);
  }

  private void handIn(Write<?> write) {
    if (!queue.add(write)) {
      throw closed();
    }
  }

  private JournalException closed() {
    return troubles.of(Kind.CLOSED, "it has been closed");
  }

  private void work() {
    try {
      for (List<Write<?>> group = queue.take(); !group.isEmpty(); group = queue.take()) {
        record(group);
      }
    } finally {
      // Also if this thread dies of a bug: whoever waits must hear of it.
      queue.close();
      for (List<Write<?>> group = queue.take(); !group.isEmpty(); group = queue.take()) {
        group.forEach(write -> write.fail(closed()));
      }
      disconnect();
      over.complete(true);
    }
  }

  private void record(List<Write<?>> group) {
    try {
      Sql connection = connection();
      WholeCalls.gather(group);
      connection.begin();
      for (Write<?> write : group) {
        apply(write, connection);
      }
      connection.commit();
    } catch (SQLException e) {
      disconnect();
      fail(group, () -> troubles.of(e));
      return;
    } catch (RuntimeException | Error e) {
      // This group is lost; the next need not be.
      disconnect();
      fail(group, () -> troubles.ofBug(e));
      return;
    }
    if (failing != null && group.stream().noneMatch(Write::hasFailed)) {
      failing = null;
      LOG.log(System.Logger.Level.INFO, "event=journal_recovered lost={0,number,#}", lost.get());
    }
    for (Write<?> write : group) {
      forget(write);
      write.succeed();
    }
  }

  private void apply(Write<?> write, Sql connection) throws SQLException {
    String call = write.call();
    if (call != null && broken.contains(call)) {
      fail(
          write,
          troubles.of(
              Kind.INCONSISTENT,
              "an earlier record of call " + call + " was lost; it takes no more"));
      return;
    }
    try {
      write.apply(connection);
    } catch (InconsistentException e) {
      fail(write, troubles.of(e));
    } catch (SQLException e) {
      JournalException failure = troubles.of(e);
      if (failure.kind() != Kind.INCONSISTENT) {
        throw e;
      }
      // A broken constraint undoes its own statement and no other.
      fail(write, failure);
    }
  }

  private void fail(List<Write<?>> group, Supplier<JournalException> failure) {
    note(failure.get());
    for (Write<?> write : group) {
      if (!write.hasFailed()) {
        fail(write, failure.get());
      }
      forget(write);
    }
  }

  private void fail(Write<?> write, JournalException failure) {
    write.fail(failure);
    if (write.isAwaited()) {
      return;
    }
    lost.incrementAndGet();
    String call = write.call();
    if (call != null) {
      broken.add(call);
    }
    note(failure);
  }

  /** Says once, of failures that follow each other, that something is wrong. */
  private void note(JournalException failure) {
    if (failing == null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "event=journal_failing kind={0}: {1}",
          failure.kind(),
          failure.getMessage());
      failing = failure.getMessage();
    }
  }

  private void forget(Write<?> write) {
    if (write.isLastOfCall()) {
      broken.remove(write.call());
    }
  }

  private Sql connection() throws SQLException {
    Sql current = sql;
    if (current == null) {
      current = connections.writing();
      sql = current;
    }
    return current;
  }

  /** Gives up the connection; what its transaction had not committed is undone by that. */
  private void disconnect() {
    Sql current = sql;
    sql = null;
    if (current != null) {
      try {
        current.close();
      } catch (SQLException e) {
        LOG.log(System.Logger.Level.WARNING, "event=journal_close_failed: {0}", e.getMessage());
      }
    }
  }

  /** Writes what is in the queue, and ends the thread. Waits for it without heeding interrupts. */
  @Override
  public void close() {
    queue.close();
    over.join();
  }
}
