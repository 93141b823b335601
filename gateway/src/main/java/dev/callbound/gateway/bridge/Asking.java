package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Questions of a server that wait for an answer: from a client that waits for the call, or through
 * its task. The first answer counts. All but {@link #await} is called under the audience's lock.
 */
final class Asking {
  private static final System.Logger LOG = System.getLogger(Asking.class.getName());

  private final int round;
  private final Map<String, Message.Request> questions;
  private final CompletableFuture<Map<String, Message.Response>> answers =
      new CompletableFuture<>();
  private final Map<Waiter, Thread> asked = new HashMap<>();
  private final Map<String, Message.Response> given = new LinkedHashMap<>();

  /**
   * Questions that nobody has been asked yet.
   *
   * @param round tells them from others of the same call, whose names may be the same
   */
  Asking(int round, Map<String, Message.Request> questions) {
    this.round = round;
    this.questions = questions;
  }

  /** Puts them to one more client, on a thread that waits for it. */
  void put(Waiter waiter) {
    asked.put(waiter, Thread.ofVirtual().name("question").start(() -> ask(waiter.questions())));
  }

  private void ask(Questions client) {
    try {
      answers.complete(client.ask(questions));
    } catch (InterruptedException _) {
      LOG.log(System.Logger.Level.DEBUG, "question=withdrawn");
    } catch (RuntimeException | Error e) {
      answers.completeExceptionally(e);
    }
  }

  /**
   * Whether all who were asked have the question in hand, and no conversation open: nobody knows
   * whether they still mean to answer.
   */
  boolean isParked() {
    return asked.keySet().stream()
        .noneMatch(waiter -> !waiter.left() && waiter.session().revision().hasSessions());
  }

  boolean wasPutTo(Waiter waiter) {
    return asked.containsKey(waiter);
  }

  /** One who was asked will not answer. Returns whether it had been asked. */
  boolean left(Waiter waiter) {
    Thread waiting = asked.remove(waiter);
    if (waiting != null) {
      waiting.interrupt();
    }
    return waiting != null;
  }

  /** Those without an answer, by names that no other question of the call has. */
  JsonObject open() {
    JsonObject open = JsonObject.EMPTY;
    for (Map.Entry<String, Message.Request> entry : questions.entrySet()) {
      if (!given.containsKey(entry.getKey())) {
        open = open.with(name(entry.getKey()), Questions.shown(entry.getValue()));
      }
    }
    return open;
  }

  /** Answers come through the task. What nobody has asked, or has its answer, is passed over. */
  void give(JsonObject responses) {
    questions.forEach(
        (name, question) -> {
          Json answer = responses.get(name(name));
          if (answer != null) {
            given.putIfAbsent(name, new Message.Result(question.id(), answer));
          }
        });
    if (given.size() == questions.size()) {
      answers.complete(Map.copyOf(given));
    }
  }

  private String name(String question) {
    return round + "." + question;
  }

  /** Waits for the answers. */
  Map<String, Message.Response> await() throws InterruptedException {
    try {
      return answers.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a question failed unexpectedly", e.getCause());
    }
  }

  /** They are answered, or nobody wants to know any more. */
  void end() {
    asked.values().forEach(Thread::interrupt);
  }
}
