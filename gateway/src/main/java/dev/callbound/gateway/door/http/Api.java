package dev.callbound.gateway.door.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all requests of programs have in common, and are answered with: JSON, and one error form.
 */
final class Api {
  /** What the paths of programs begin with. */
  static final String PATH = "/v1/";

  private static final int LONGEST_TEXT = 200;

  /** An answer. */
  record Reply(Status status, JsonObject body) {}

  /** Does what a request asks for. */
  @FunctionalInterface
  interface Action {
    Reply perform(String principal, ServerRequest request) throws RefusedException;
  }

  private final Gate gate;

  Api(Gate gate) {
    this.gate = gate;
  }

  void answer(ServerRequest request, ServerResponse response, Action action) {
    try {
      send(response, action.perform(gate.admit(request.headers()), request));
    } catch (RefusedException e) {
      refuse(response, e);
    }
  }

  static void refuse(ServerResponse response, RefusedException refusal) {
    refusal.headers().forEach((name, value) -> response.header(name, value));
    send(response, failed(refusal.status(), code(refusal.status()), refusal.error().message()));
  }

  static void send(ServerResponse response, Reply reply) {
    Replies.send(response, reply.status(), reply.body().toJson());
  }

  static Reply failed(Status status, String code, String message) {
    JsonObject error = JsonObject.of("code", Json.text(code)).with("message", Json.text(message));
    return new Reply(status, JsonObject.of("error", error.toJson()));
  }

  private static String code(Status status) {
    return switch (status.code()) {
      case Status.UNAUTHORIZED_401_CODE -> "unauthorized";
      case Status.FORBIDDEN_403_CODE -> "forbidden";
      case Status.UNSUPPORTED_MEDIA_TYPE_415_CODE -> "unsupported_media_type";
      case Status.NOT_ACCEPTABLE_406_CODE -> "not_acceptable";
      case Status.SERVICE_UNAVAILABLE_503_CODE -> "unavailable";
      default -> "invalid_request";
    };
  }

  static Reply noRun(String id) {
    return failed(Status.NOT_FOUND_404, "not_found", "no run has the id " + id);
  }

  static String id(ServerRequest request) {
    return request.path().pathParameters().get("id");
  }

  /** A text that was given, as far as it helps to see it again. */
  static String cut(String given, int most) {
    return given.length() <= most ? given : given.substring(0, most) + "…";
  }

  /**
   * The body's members; none when there is no body.
   *
   * @param taken those that there may be: one that is misspelt must not be passed over in silence
   */
  static JsonObject body(ServerRequest request, String... taken) throws RefusedException {
    JsonObject body = body(request);
    List<String> known = List.of(taken);
    for (String name : body.members().keySet()) {
      if (!known.contains(name)) {
        throw invalid(
            "the body takes %s, and no %s"
                .formatted(
                    String.join(", ", known),
                    name.length() <= LONGEST_TEXT ? name : "name of that length"));
      }
    }
    return body;
  }

  private static JsonObject body(ServerRequest request) throws RefusedException {
    byte[] bytes;
    try {
      bytes = Body.read(request);
    } catch (IOException e) {
      throw invalid("the body ended too early");
    }
    if (bytes.length == 0) {
      return JsonObject.EMPTY;
    }
    MediaRules.checkSent(request.headers());
    try {
      return Json.parse(bytes)
          .asObject()
          .orElseThrow(() -> invalid("the body must be a JSON object"));
    } catch (MalformedMessageException e) {
      throw invalid("the body is " + e.getMessage());
    }
  }

  static @Nullable String text(JsonObject body, String name) throws RefusedException {
    if (body.get(name) == null) {
      return null;
    }
    String text = body.text(name);
    if (text == null || text.isBlank() || text.length() > LONGEST_TEXT) {
      throw invalid(name + " must be a text of 1 to " + LONGEST_TEXT + " characters");
    }
    return text;
  }

  static RefusedException invalid(String message) {
    return RefusedException.of(Status.BAD_REQUEST_400, message);
  }
}
