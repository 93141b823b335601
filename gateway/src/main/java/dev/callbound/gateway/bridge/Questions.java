package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts a server's questions to a client, in the client's own way: as requests of its own where the
 * client's revision has them, as an {@code input_required} result where it has not (MCP
 * 2026-07-28), after which the client comes back with the answers and the call goes on where it
 * stood.
 */
final class Questions implements Live.Asker {
  /** How long a client has to name its roots before an empty list is given for it. */
  private static final Duration ROOTS_PATIENCE = Duration.ofMillis(900);

  /** What the states begin with that stand for a call that waits here. */
  static final String STATE = "callbound-";

  private static final SecureRandom RANDOM = new SecureRandom();

  private static final Json NO_ROOTS = Json.of("{\"roots\":[]}");

  /** What becomes of a question that the client did not say it can answer. */
  enum Undeclared {
    /** It is refused at once, so that the tool gets its error instead of waiting. */
    REFUSED,
    /** A client without sessions gets it all the same: the server had seen what it declared. */
    PASSED_ON
  }

  /** Calls that wait for a client to come back with answers, by the state it was given. */
  static final class Parked {
    private final Map<String, Questions> waiting = new ConcurrentHashMap<>();

    /** The questions that this state stands for; null when none of this principal's do. */
    @Nullable Questions take(String state, String principal) {
      Questions questions = waiting.get(state);
      return questions != null
              && questions.session.principal().equals(principal)
              && waiting.remove(state, questions)
          ? questions
          : null;
    }
  }

  private final Session session;
  private final Parked parked;
  private final Consumer<Talk> continued;
  private final Undeclared undeclared;
  private final AtomicReference<Talk> talk;
  private volatile @Nullable CompletableFuture<JsonObject> answers;

  /**
   * The questions of one call.
   *
   * @param talk the conversation in which the client asked for the call
   * @param continued told the conversation in which the client comes back with answers
   * @param undeclared what becomes of a question that the client did not say it can answer
   */
  Questions(
      Session session, Talk talk, Parked parked, Consumer<Talk> continued, Undeclared undeclared) {
    this.undeclared = undeclared;
    this.session = session;
    this.talk = new AtomicReference<>(talk);
    this.parked = parked;
    this.continued = continued;
  }

  /** The conversation that the call's answer goes to: the last that the client began about it. */
  Talk talk() {
    return talk.get();
  }

  /** The client has come back with the answers, in a new conversation. */
  void resume(Talk again, JsonObject inputResponses) {
    again.refer(talk.get().reference());
    talk.set(again);
    continued.accept(again);
    CompletableFuture<JsonObject> waiting = answers;
    if (waiting != null) {
      waiting.complete(inputResponses);
    }
  }

  @Override
  public void progress(JsonObject params) {
    Talk hearer = talk();
    Json token = hearer.request().params().object("_meta").get("progressToken");
    if (token != null) {
      hearer.say(
          new Message.Notification("notifications/progress", params.with("progressToken", token)));
    }
  }

  @Override
  public void say(Message.Notification notification) {
    talk().say(notification);
  }

  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions)
      throws InterruptedException {
    Map<String, Message.Response> answered = new LinkedHashMap<>();
    Map<String, Message.Request> open = new LinkedHashMap<>();
    questions.forEach(
        (name, question) -> {
          Message.Response ours = ourAnswer(session, question, undeclared);
          if (ours == null) {
            open.put(name, question);
          } else {
            answered.put(name, ours);
          }
        });
    if (!open.isEmpty()) {
      answered.putAll(session.revision().hasSessions() ? askOneByOne(open) : askAtOnce(open));
    }
    return answered;
  }

  /** The answers to those of the questions that need not be put to a client. */
  static Map<String, Message.Response> answeredFor(
      Session session, Map<String, Message.Request> questions) {
    Map<String, Message.Response> answered = new LinkedHashMap<>();
    questions.forEach(
        (name, question) -> {
          Message.Response ours = ourAnswer(session, question, Undeclared.REFUSED);
          if (ours != null) {
            answered.put(name, ours);
          }
        });
    return answered;
  }

  /** What can be answered without the client: it declared that it can't, or it has no roots. */
  private static Message.@Nullable Response ourAnswer(
      Session session, Message.Request question, Undeclared undeclared) {
    String capability =
        switch (question.method()) {
          case "elicitation/create" -> "elicitation";
          case "sampling/createMessage" -> "sampling";
          case "roots/list" -> "roots";
          default -> "";
        };
    if (capability.isEmpty()) {
      return refusal(question, "a client can't be asked " + question.method());
    }
    boolean passedOn = undeclared == Undeclared.PASSED_ON && !session.revision().hasSessions();
    if (passedOn || session.capabilities().get(capability) != null) {
      return null;
    }
    return capability.equals("roots")
        ? new Message.Result(question.id(), NO_ROOTS)
        : refusal(question, "the client did not declare the capability " + capability);
  }

  private Map<String, Message.Response> askOneByOne(Map<String, Message.Request> questions)
      throws InterruptedException {
    Map<String, Message.Response> answered = new LinkedHashMap<>();
    for (Map.Entry<String, Message.Request> entry : questions.entrySet()) {
      Message.Request question = entry.getValue();
      Session.Asked asked = session.ask(talk(), question);
      try {
        answered.put(entry.getKey(), withId(question.id(), await(asked, question)));
      } finally {
        session.forget(asked);
      }
    }
    return answered;
  }

  private static Message.Response await(Session.Asked asked, Message.Request question)
      throws InterruptedException {
    try {
      return question.method().equals("roots/list")
          ? asked.answer().get(ROOTS_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          : asked.answer().get();
    } catch (TimeoutException _) {
      return new Message.Result(question.id(), NO_ROOTS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("an answer never fails", e);
    }
  }

  private Map<String, Message.Response> askAtOnce(Map<String, Message.Request> questions)
      throws InterruptedException {
    CompletableFuture<JsonObject> coming = new CompletableFuture<>();
    answers = coming;
    String state = STATE + new BigInteger(128, RANDOM).toString(36);
    parked.waiting.put(state, this);
    try {
      talk().answer(inputRequired(questions, state));
      JsonObject given = coming.get();
      Map<String, Message.Response> answered = new LinkedHashMap<>();
      questions.forEach(
          (name, question) -> {
            Json answer = given.get(name);
            if (answer != null) {
              answered.put(name, new Message.Result(question.id(), answer));
            }
          });
      return answered;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an answer never fails", e);
    } finally {
      parked.waiting.remove(state);
      answers = null;
    }
  }

  private static Json inputRequired(Map<String, Message.Request> questions, String state) {
    JsonObject requests = JsonObject.EMPTY;
    for (Map.Entry<String, Message.Request> entry : questions.entrySet()) {
      requests = requests.with(entry.getKey(), shown(entry.getValue()));
    }
    return JsonObject.of("resultType", Json.text("input_required"))
        .with("inputRequests", requests)
        .with("requestState", Json.text(state))
        .toJson();
  }

  /** A question as a client without a session gets it. */
  static JsonObject shown(Message.Request question) {
    JsonObject request = JsonObject.of("method", Json.text(question.method()));
    return question.params().isEmpty() ? request : request.with("params", question.params());
  }

  /** Refuses every question. */
  static Map<String, Message.Response> refused(
      Map<String, Message.Request> questions, String because) {
    Map<String, Message.Response> answers = new LinkedHashMap<>();
    questions.forEach((name, question) -> answers.put(name, refusal(question, because)));
    return answers;
  }

  private static Message.Response refusal(Message.Request question, String because) {
    return new Message.ErrorResponse(
        question.id(), RpcError.of(RpcError.METHOD_NOT_FOUND, because));
  }

  private static Message.Response withId(Json id, Message.Response response) {
    return switch (response) {
      case Message.Result(_, Json result) -> new Message.Result(id, result);
      case Message.ErrorResponse(_, RpcError error) -> new Message.ErrorResponse(id, error);
    };
  }
}
