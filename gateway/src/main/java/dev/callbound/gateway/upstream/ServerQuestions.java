package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * What a server asks while it works on one request, and the answers to it. Every question is
 * answered from a virtual thread of its own, so that whoever reads the server's messages never
 * waits for a person. Thread-safe.
 */
public final class ServerQuestions implements AutoCloseable {
  /** How many questions of one request may be open; what comes beyond is not answered. */
  public static final int MAX_OPEN = 32;

  private static final String PING = "ping";
  private static final Set<String> RELAYED =
      Set.of("roots/list", "sampling/createMessage", "elicitation/create");

  private final Exchange exchange;
  private final Consumer<Message.Response> answers;
  private final AtomicInteger open = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();

  /** Threads that wait for the client. One that is not in here any more has to answer nobody. */
  private final Map<Json, Thread> waiting = new HashMap<>();

  private boolean closed;

  /**
   * @param answers takes an answer to the server; called from the question's own thread and may
   *     block there
   */
  public ServerQuestions(Exchange exchange, Consumer<Message.Response> answers) {
    this.exchange = exchange;
    this.answers = answers;
  }

  /**
   * The answer to a question that belongs to no request, so that no client can be asked. Never
   * blocks.
   */
  public static Message.Response withoutClient(Message.Request question) {
    if (question.method().equals(PING)) {
      return pong(question);
    }
    return RELAYED.contains(question.method())
        ? error(
            question,
            RpcError.of(
                RpcError.INTERNAL_ERROR,
                question.method() + " outside a request: there is no client to ask"))
        : unknown(question);
  }

  /** Takes a question. Returns at once. */
  public void asked(Message.Request question) {
    if (question.method().equals(PING)) {
      exchange.signOfLife();
    }
    if (open.incrementAndGet() > MAX_OPEN) {
      open.decrementAndGet();
      exchange.note("a question of the server was dropped: " + MAX_OPEN + " are open");
      return;
    }
    Thread.ofVirtual().name("question").start(() -> answer(question));
  }

  /** The server does not need the answer any more ({@code notifications/cancelled}). */
  public void withdrawn(Json id) {
    lock.lock();
    try {
      Thread thread = waiting.remove(id);
      if (thread != null) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the client is being asked just now. */
  public boolean waits() {
    lock.lock();
    try {
      return !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The request has ended: whoever still waits for the client stops, and answers nobody. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.values().forEach(Thread::interrupt);
      waiting.clear();
    } finally {
      lock.unlock();
    }
  }

  private void answer(Message.Request question) {
    try {
      if (question.method().equals(PING)) {
        answers.accept(pong(question));
      } else if (RELAYED.contains(question.method())) {
        relay(question);
      } else {
        answers.accept(unknown(question));
      }
    } finally {
      open.decrementAndGet();
    }
  }

  private void relay(Message.Request question) {
    if (!begin(question.id())) {
      return;
    }
    Message.Response answer;
    String name = question.id().toString();
    try {
      answer = exchange.ask(Map.of(name, question)).get(name);
      if (answer == null) {
        answer = error(question, RpcError.of(RpcError.INTERNAL_ERROR, "the client gave no answer"));
      }
    } catch (InterruptedException _) {
      // Only close() and withdrawn() interrupt this thread, and then nobody waits for an answer.
      return;
    } finally {
      // From here on nobody interrupts: an answer that is being written is written whole.
      if (!end(question.id())) {
        answer = null;
      }
    }
    if (answer != null) {
      answers.accept(under(question.id(), answer));
    }
  }

  private boolean begin(Json id) {
    lock.lock();
    try {
      // An id that is in use already is the server's mistake: one answer is all it gets.
      return !closed && waiting.putIfAbsent(id, Thread.currentThread()) == null;
    } finally {
      lock.unlock();
    }
  }

  private boolean end(Json id) {
    lock.lock();
    try {
      return waiting.remove(id, Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  private static Message.Response under(Json id, Message.Response answer) {
    return switch (answer) {
      case Message.Result(_, Json result) -> new Message.Result(id, result);
      case Message.ErrorResponse(_, RpcError error) -> new Message.ErrorResponse(id, error);
    };
  }

  private static Message.Response pong(Message.Request question) {
    return new Message.Result(question.id(), JsonObject.EMPTY.toJson());
  }

  private static Message.Response unknown(Message.Request question) {
    return error(
        question,
        RpcError.of(
            RpcError.METHOD_NOT_FOUND, "unknown method: " + FailureText.of(question.method())));
  }

  private static Message.Response error(Message.Request question, RpcError error) {
    return new Message.ErrorResponse(question.id(), error);
  }
}
