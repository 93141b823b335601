package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everyone who waits for one call: the client that asked for it, and those who asked for the same
 * while it was going on. Each waits with its own patience; one that leaves or cancels ends nothing
 * for the others. One that has waited long enough is told by what to come back, and from then on
 * nobody's leaving ends the call. Thread-safe.
 */
final class Audience implements Live.Asker {
  /** More than this at one call is no impatience any more. */
  private static final int MOST = 1_000;

  /** After how long it is tried again to let a client go that the journal could not note. */
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final Questions.Parked parked;
  private final Handles handles;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiters = new ArrayList<>();
  private boolean answered;
  private int rounds;
  private @Nullable Asking asking;
  private Consumer<Departure> whenDeserted = _ -> {};
  private @Nullable Departure deserted;
  private Conversation.@Nullable Reference reference;
  private Runnable whenAsking = () -> {};

  /** Whether clients can be let go: there is a record that they can come back for. */
  private boolean open;

  /** Whether nobody is to wait now. */
  private boolean hurried;

  /** Whether somebody has been told to come back. */
  private boolean detached;

  /** The first that was, if this process saw it: it says what can be asked through the task. */
  private @Nullable Session asker;

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

  Audience(Questions.Parked parked, Handles handles) {
    this.parked = parked;
    this.handles = handles;
  }

  /**
   * Lets a client wait.
   *
   * @param name the name that it calls the tool by
   */
  Admission join(Session session, Talk talk, String name, Stay stay) {
    Waiter waiter = new Waiter(this, parked, session, talk, name, stay);
    boolean hurry;
    lock.lock();
    try {
      if (answered || waiters.size() >= MOST) {
        return answered ? Admission.ANSWERED : Admission.FULL;
      }
      waiters.add(waiter);
      if (reference != null) {
        talk.refer(reference);
      }
      hurry = hurried && stay.handle() != Handle.AGAIN;
    } finally {
      lock.unlock();
    }
    waiter.attend();
    if (hurry) {
      waiter.ring(Duration.ZERO);
    }
    askAsWell(waiter);
    return Admission.JOINED;
  }

  /** Names the call to everyone who waits for it, now and later. */
  void refer(Conversation.Reference known) {
    lock.lock();
    try {
      reference = known;
      waiters.forEach(waiter -> waiter.questions().talk().refer(known));
    } finally {
      lock.unlock();
    }
  }

  /**
   * The call has a record: from now on whoever has waited long enough is let go.
   *
   * @param cameBefore whether a client was told to come back for it by an earlier process
   */
  void opened(boolean cameBefore) {
    List<Waiter> tired;
    lock.lock();
    try {
      open = true;
      detached |= cameBefore;
      tired = waiters.stream().filter(waiter -> waiter.tired() && !waiter.left()).toList();
    } finally {
      lock.unlock();
    }
    tired.forEach(waiter -> waiter.ring(Duration.ZERO));
  }

  /** Whether a client that waits has asked for a task, and is to get nothing else. */
  boolean wantsTask() {
    return present().stream().anyMatch(waiter -> waiter.handle() == Handle.REQUESTED_TASK);
  }

  /** Lets everyone go who is not there to look, now and as they come; or lets them wait again. */
  void hurry(boolean on) {
    List<Waiter> hurrying;
    lock.lock();
    try {
      hurried = on;
      hurrying =
          on
              ? waiters.stream()
                  .filter(waiter -> !waiter.left() && waiter.handle() != Handle.AGAIN)
                  .toList()
              : List.of();
    } finally {
      lock.unlock();
    }
    hurrying.forEach(waiter -> waiter.ring(Duration.ZERO));
  }

  /** Those who take a task get one: the server has made one of the call, too. */
  @Override
  public void longTask() {
    present().stream()
        .filter(waiter -> waiter.handle() == Handle.TASK)
        .forEach(waiter -> waiter.ring(Duration.ZERO));
  }

  /** A client has waited as long as it will. On a thread of its own: this waits for the disk. */
  void tired(Waiter waiter) {
    Conversation.Reference call;
    lock.lock();
    try {
      waiter.tire();
      call = reference;
      if (answered || waiter.left() || waiter.isAway() || !open || call == null) {
        // It is answered, comes back by itself, or is let go as soon as the call has a record.
        return;
      }
    } finally {
      lock.unlock();
    }
    Json handle = handles.handOut(call, waiter.session(), waiter.handle(), waiter.name());
    if (handle == null) {
      waiter.ring(AGAIN);
      return;
    }
    lock.lock();
    try {
      if (answered || waiter.left() || !waiter.questions().talk().offer(handle)) {
        return;
      }
      detached = true;
      if (asker == null) {
        asker = waiter.session();
      }
      // A question that was put to it stays with it: a person may be about to answer.
      waiter.leave();
      waiters.remove(waiter);
    } finally {
      lock.unlock();
    }
    waiter.over();
  }

  /**
   * Sets what happens when the last who waited has gone; at once if it has. A call that never had
   * anybody waiting is not deserted, nor one that somebody comes back for.
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

  /** Sets what happens when the server's questions begin to wait for an answer, or no longer do. */
  void whenAsking(Runnable action) {
    lock.lock();
    try {
      whenAsking = action;
    } finally {
      lock.unlock();
    }
  }

  /** Whether anybody waits for the call who has not come back for it: for such it goes on. */
  boolean isWaitedFor() {
    return present().stream().anyMatch(waiter -> waiter.handle() != Handle.AGAIN);
  }

  /** Gives everyone the answer that is right for it. Nobody joins from here on. */
  void answer(Answerer answerer) {
    List<Waiter> all;
    Conversation.Reference call;
    lock.lock();
    try {
      answered = true;
      call = reference;
      all = List.copyOf(waiters);
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : all) {
      Talk talk = waiter.over();
      Json task =
          call != null && waiter.handle() == Handle.REQUESTED_TASK
              ? handles.handOut(call, waiter.session(), waiter.handle(), waiter.name())
              : null;
      if (task == null) {
        answerer.answer(talk, waiter.session(), waiter.name());
      } else {
        talk.answer(task);
      }
    }
  }

  /** Gives everyone an error for an answer. */
  void fail(RpcError error) {
    answer((talk, _, _) -> talk.fail(error));
  }

  /** A client leaves. */
  void departed(Waiter waiter, Departure how) {
    Consumer<Departure> action;
    lock.lock();
    try {
      if (answered || waiter.left()) {
        return;
      }
      leave(waiter);
      if (detached || !waiters.stream().allMatch(Waiter::left)) {
        return;
      }
      deserted = how;
      action = whenDeserted;
    } finally {
      lock.unlock();
    }
    action.accept(how);
  }

  /** If the one who goes had been asked, the next one is. Under the lock. */
  private void leave(Waiter waiter) {
    waiter.leave();
    Asking now = asking;
    if (now != null && now.left(waiter)) {
      present().stream().filter(other -> !now.wasPutTo(other)).findFirst().ifPresent(now::put);
    }
  }

  @Override
  public void progress(JsonObject params) {
    present().forEach(waiter -> waiter.questions().progress(params));
  }

  @Override
  public void say(Message.Notification notification) {
    present().forEach(waiter -> waiter.questions().say(notification));
  }

  /**
   * Whoever has waited longest is asked; whoever comes instead of answering as well, and the next
   * when the one who was asked leaves. Where nobody waits, and somebody comes back for a task, the
   * task asks. The first answer counts.
   */
  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions)
      throws InterruptedException {
    Asking begun;
    Runnable changed;
    Map<String, Message.Response> ours = new LinkedHashMap<>();
    lock.lock();
    try {
      List<Waiter> present = present();
      Map<String, Message.Request> put = new LinkedHashMap<>(questions);
      if (present.isEmpty()) {
        Session through = asker;
        if (through == null) {
          return Questions.refused(questions, "there is no client to ask");
        }
        ours.putAll(Questions.answeredFor(through, questions));
        put.keySet().removeAll(ours.keySet());
      }
      if (put.isEmpty()) {
        return ours;
      }
      begun = new Asking(++rounds, put);
      asking = begun;
      present.stream().findFirst().ifPresent(begun::put);
      changed = whenAsking;
    } finally {
      lock.unlock();
    }
    changed.run();
    try {
      ours.putAll(begun.await());
      return ours;
    } finally {
      lock.lock();
      try {
        asking = null;
        begun.end();
      } finally {
        lock.unlock();
      }
      changed.run();
    }
  }

  /** The server's questions that wait for an answer; empty where there are none. */
  JsonObject questions() {
    lock.lock();
    try {
      return asking == null ? JsonObject.EMPTY : asking.open();
    } finally {
      lock.unlock();
    }
  }

  /** Answers to them come through the task. */
  void give(JsonObject responses) {
    lock.lock();
    try {
      if (asking != null) {
        asking.give(responses);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * A client without a session that calls again instead of coming back with its answers has lost
   * the question, or is another one: it would wait for ever for what nobody was going to answer.
   */
  private void askAsWell(Waiter waiter) {
    lock.lock();
    try {
      if (asking != null && !waiter.left() && asking.isParked()) {
        asking.put(waiter);
      }
    } finally {
      lock.unlock();
    }
  }

  private List<Waiter> present() {
    lock.lock();
    try {
      return waiters.stream().filter(waiter -> !answered && !waiter.left()).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Answers one client in its conversation. */
  @FunctionalInterface
  interface Answerer {
    void answer(Talk talk, Session session, String name);
  }

  /** The answer that a client's revision understands. */
  static Json translated(Session session, Json result) {
    return Translation.forClient(session.revision(), "tools/call", result);
  }
}
