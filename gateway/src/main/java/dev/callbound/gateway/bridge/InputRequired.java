package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A server's {@code input_required} result (MCP 2026-07-28): the questions in it, and the request
 * that goes on with their answers. That request is no retry: the server asked for it.
 */
final class InputRequired {
  private InputRequired() {}

  /** Whether a result asks instead of answering. */
  static boolean is(Json result) {
    return "input_required".equals(result.textAt("resultType"));
  }

  /** Puts the questions of the result to the client, and returns the answers by their names. */
  static JsonObject answers(Json result, Exchange exchange) throws InterruptedException {
    Map<String, Message.Request> questions = new LinkedHashMap<>();
    Json requests = result.at("inputRequests");
    if (requests != null && requests.isObject()) {
      requests
          .asObject()
          .orElseThrow()
          .members()
          .forEach(
              (name, question) -> {
                String method = question.textAt("method");
                Json params = question.at("params");
                questions.put(
                    name,
                    new Message.Request(
                        Json.text(name),
                        method == null ? "" : method,
                        params == null
                            ? JsonObject.EMPTY
                            : params.asObject().orElse(JsonObject.EMPTY)));
              });
    }
    JsonObject answers = JsonObject.EMPTY;
    if (questions.isEmpty()) {
      return answers;
    }
    for (Map.Entry<String, Message.Response> answer : exchange.ask(questions).entrySet()) {
      answers =
          answers.with(
              answer.getKey(),
              switch (answer.getValue()) {
                case Message.Result(_, Json given) -> given;
                case Message.ErrorResponse(_, var error) ->
                    JsonObject.of("error", error.toJson().toJson()).toJson();
              });
    }
    return answers;
  }

  /** The request that goes on. */
  static JsonObject continued(JsonObject params, Json result, JsonObject answers) {
    JsonObject continued = params.with("inputResponses", answers);
    Json state = result.at("requestState");
    return state == null ? continued : continued.with("requestState", state);
  }
}
