package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everyone who waits for one call: the client that asked for it, and those who asked for the same
 * while it was going on. Each waits with its own patience; one that leaves or cancels ends nothing
 * for the others. Thread-safe.
 */
final class Audience implements Live.Asker {
  private static final System.Logger LOG = System.getLogger(Audience.class.getName());

  /** More than this at one call is no impatience any more. */
  private static final int MOST = 1_000;

  private final Questions.Parked parked;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiters = new ArrayList<>();
  private boolean answered;
  private @Nullable Asking asking;
  private Consumer<Departure> whenDeserted = _ -> {};
  private @Nullable Departure deserted;
  private Conversation.@Nullable Reference reference;

  /** What came of wanting to wait. */
  enum Admission {
    /** It waits. */
    JOINED,
    /** The call has just been answered: the record tells how. */
    ANSWERED,
    /** Far too many wait already. */
    FULL
  }

  /** How the last who waited went. */
  enum Departure {
    /** It said that the call shall end. */
    CANCELLED,
    /** It is not there any more. */
    GONE
  }

  Audience(Questions.Parked parked) {
    this.parked = parked;
  }

  /**
   * Lets a client wait.
   *
   * @param name the name that it calls the tool by
   */
  Admission join(Session session, Talk talk, String name) {
    Waiter waiter = new Waiter(session, talk, name);
    lock.lock();
    try {
      if (answered || waiters.size() >= MOST) {
        return answered ? Admission.ANSWERED : Admission.FULL;
      }
      waiters.add(waiter);
      if (reference != null) {
        talk.refer(reference);
      }
    } finally {
      lock.unlock();
    }
    waiter.attend();
    askAsWell(waiter);
    return Admission.JOINED;
  }

  /** Names the call to everyone who waits for it, now and later. */
  void refer(Conversation.Reference known) {
    lock.lock();
    try {
      reference = known;
      waiters.forEach(waiter -> waiter.questions.talk().refer(known));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets what happens when the last who waited has gone; at once if it has. A call that never had
   * anybody waiting is not deserted.
   */
  void whenDeserted(Consumer<Departure> action) {
    Departure already;
    lock.lock();
    try {
      whenDeserted = action;
      already = deserted;
    } finally {
      lock.unlock();
    }
    if (already != null) {
      action.accept(already);
    }
  }

  /** Gives everyone the answer that is right for it. Nobody joins from here on. */
  void answer(Answerer answerer) {
    for (Waiter waiter : end()) {
      Talk talk = waiter.over();
      answerer.answer(talk, waiter.session, waiter.name);
    }
  }

  /** Gives everyone an error for an answer. */
  void fail(RpcError error) {
    answer((talk, _, _) -> talk.fail(error));
  }

  private List<Waiter> end() {
    lock.lock();
    try {
      answered = true;
      return List.copyOf(waiters);
    } finally {
      lock.unlock();
    }
  }

  private void departed(Waiter waiter, Departure how) {
    Consumer<Departure> action;
    lock.lock();
    try {
      if (answered || waiter.left) {
        return;
      }
      waiter.left = true;
      if (asking != null) {
        asking.left(waiter);
      }
      if (!waiters.stream().allMatch(each -> each.left)) {
        return;
      }
      deserted = how;
      action = whenDeserted;
    } finally {
      lock.unlock();
    }
    action.accept(how);
  }

  @Override
  public void progress(JsonObject params) {
    present().forEach(waiter -> waiter.questions.progress(params));
  }

  @Override
  public void say(Message.Notification notification) {
    present().forEach(waiter -> waiter.questions.say(notification));
  }

  /**
   * Whoever has waited longest is asked; whoever comes instead of answering as well, and the next
   * when the one who was asked leaves. The first answer counts.
   */
  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions)
      throws InterruptedException {
    Asking begun = new Asking(questions);
    lock.lock();
    try {
      Optional<Waiter> first = present().stream().findFirst();
      if (first.isEmpty()) {
        return Questions.refused(questions, "there is no client to ask");
      }
      asking = begun;
      begun.put(first.get());
    } finally {
      lock.unlock();
    }
    try {
      return begun.answers.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a question failed unexpectedly", e.getCause());
    } finally {
      lock.lock();
      try {
        asking = null;
        begun.end();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * A client without a session that calls again instead of coming back with its answers has lost
   * the question, or is another one: it would wait for ever for what nobody was going to answer.
   */
  private void askAsWell(Waiter waiter) {
    lock.lock();
    try {
      if (asking != null && asking.isParked()) {
        asking.put(waiter);
      }
    } finally {
      lock.unlock();
    }
  }

  private List<Waiter> present() {
    lock.lock();
    try {
      return waiters.stream().filter(waiter -> !answered && !waiter.left).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Answers one client in its conversation. */
  @FunctionalInterface
  interface Answerer {
    void answer(Talk talk, Session session, String name);
  }

  /** Questions that wait for an answer. Used under the lock. */
  private final class Asking {
    private final Map<String, Message.Request> questions;
    private final CompletableFuture<Map<String, Message.Response>> answers =
        new CompletableFuture<>();
    private final Map<Waiter, Thread> asked = new HashMap<>();

    Asking(Map<String, Message.Request> questions) {
      this.questions = questions;
    }

    /** Puts them to one more client, on a thread that waits for it. */
    void put(Waiter waiter) {
      asked.put(waiter, Thread.ofVirtual().name("question").start(() -> answer(waiter.questions)));
    }

    private void answer(Questions client) {
      try {
        answers.complete(client.ask(questions));
      } catch (InterruptedException _) {
        LOG.log(System.Logger.Level.DEBUG, "question=withdrawn");
      } catch (RuntimeException | Error e) {
        answers.completeExceptionally(e);
      }
    }

    /** Whether all who were asked have the question in hand, and no conversation open. */
    boolean isParked() {
      return asked.keySet().stream().noneMatch(waiter -> waiter.session.revision().hasSessions());
    }

    /** One who was asked will not answer: the next is asked. */
    void left(Waiter waiter) {
      Thread waiting = asked.remove(waiter);
      if (waiting != null) {
        waiting.interrupt();
        present().stream()
            .filter(other -> !asked.containsKey(other))
            .findFirst()
            .ifPresent(this::put);
      }
    }

    /** They are answered, or nobody wants to know any more. */
    void end() {
      asked.values().forEach(Thread::interrupt);
    }
  }

  /** One client that waits. */
  private final class Waiter implements Runnable {
    private final Session session;
    private final String name;
    private final Questions questions;
    private boolean left;

    Waiter(Session session, Talk talk, String name) {
      this.session = session;
      this.name = name;
      this.questions =
          new Questions(session, talk, parked, this::follow, Questions.Undeclared.REFUSED);
    }

    void attend() {
      follow(questions.talk());
      if (session.revision().hasSessions()) {
        session.whenClosed(this);
      }
    }

    /** It is not there any more. */
    @Override
    public void run() {
      departed(this, Departure.GONE);
    }

    private void follow(Talk talk) {
      session.cancellable(talk.request().id(), () -> departed(this, Departure.CANCELLED));
      if (!session.revision().hasSessions()) {
        // Since 2026-07-28 a client cancels by going away; before, it may come back.
        talk.whenLeft(this);
      }
    }

    Talk over() {
      Talk talk = questions.talk();
      session.over(talk.request().id());
      session.notWhenClosed(this);
      return talk;
    }
  }

  /** The answer that a client's revision understands. */
  static Json translated(Session session, Json result) {
    return Translation.forClient(session.revision(), "tools/call", result);
  }
}
