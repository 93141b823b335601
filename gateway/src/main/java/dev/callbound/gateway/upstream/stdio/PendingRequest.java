package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.ServerQuestions;
import dev.callbound.policy.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits: first for its turn to be written, then for its answer. It ends once, by
 * whatever comes first. Thread-safe.
 *
 * <p>That it goes out and that it is given up exclude each other: whoever gives it up knows whether
 * a byte of it may have left, and one that has been given up is never written.
 */
final class PendingRequest {
  /** How it ended. */
  sealed interface Ending {}

  /** The server answered. */
  record Answered(Message.Response response) implements Ending {}

  /** No answer will come, or none that can be passed on. */
  record Lost(Failure failure) implements Ending {}

  private final long id;
  private final Exchange exchange;
  private final ServerQuestions questions;
  private final Consumer<PendingRequest> whenOver;
  private final List<ServerQuestions> inherited = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private boolean sent;

  /**
   * @param questions what the server asks while it works on this request
   * @param whenOver told, once, when it has ended; sees to the questions that are open then
   */
  PendingRequest(
      long id, Exchange exchange, ServerQuestions questions, Consumer<PendingRequest> whenOver) {
    this.id = id;
    this.exchange = exchange;
    this.questions = questions;
    this.whenOver = whenOver;
  }

  long id() {
    return id;
  }

  Exchange exchange() {
    return exchange;
  }

  ServerQuestions questions() {
    return questions;
  }

  /** Its own questions, and those that it has taken over. */
  List<ServerQuestions> allQuestions() {
    lock.lock();
    try {
      List<ServerQuestions> all = new ArrayList<>(inherited);
      all.add(questions);
      return all;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes over questions that another request of the same client leaves open.
   *
   * @return false when it has ended itself
   */
  boolean inherit(List<ServerQuestions> left) {
    lock.lock();
    try {
      return !ending.isDone() && inherited.addAll(left);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Its turn to be written has come.
   *
   * @return false when it has ended already: then it must not be written
   */
  boolean begin() {
    lock.lock();
    try {
      if (ending.isDone()) {
        return false;
      }
      exchange.sent();
      sent = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends it with the server's answer; without effect when it has ended. */
  void answer(Message.Response response) {
    end(_ -> new Answered(response));
  }

  /** Ends it without an answer; without effect when it has ended. */
  void lose(Failure failure) {
    end(_ -> new Lost(failure));
  }

  /**
   * Ends it because the server can't be reached any more; without effect when it has ended.
   *
   * @param detail what happened
   */
  void lose(String detail) {
    end(wasSent -> new Lost(withoutAnswer(wasSent, detail)));
  }

  /**
   * Gives it up.
   *
   * @return whether a byte of it may have left and no answer had come: then the server should be
   *     told
   */
  boolean giveUp(String detail) {
    return end(wasSent -> new Lost(withoutAnswer(wasSent, detail))) && wasSent();
  }

  /**
   * Waits for its end.
   *
   * @return null when it has not ended in time
   */
  @Nullable Ending await(Duration patience) throws InterruptedException {
    try {
      return ending.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request never ends in an exception", e);
    }
  }

  /** How it ended; null while it has not. */
  @Nullable Ending ending() {
    return ending.getNow(null);
  }

  private boolean wasSent() {
    lock.lock();
    try {
      return sent;
    } finally {
      lock.unlock();
    }
  }

  private boolean end(Function<Boolean, Ending> how) {
    boolean ended;
    lock.lock();
    try {
      ended = ending.complete(how.apply(sent));
    } finally {
      lock.unlock();
    }
    if (ended) {
      whenOver.accept(this);
    }
    return ended;
  }

  private static Failure withoutAnswer(boolean sent, String detail) {
    return sent ? new Failure.Broken(detail) : new Failure.NotSent(detail);
  }
}
