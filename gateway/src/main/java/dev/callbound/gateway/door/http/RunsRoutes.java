package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs over HTTP, for programs: open one, look at it, cancel it. */
final class RunsRoutes implements HttpService {
  /** How many runs a list shows unless it says otherwise. */
  static final int LISTED = 50;

  /** The most that a list may ask for. */
  static final int MOST_LISTED = 1_000;

  private static final int LONGEST_TEXT = 200;
  private static final Duration LONGEST_DEADLINE = Duration.ofDays(365);

  private final Gate gate;
  private final RunsPort runs;

  RunsRoutes(Gate gate, RunsPort runs) {
    this.gate = gate;
    this.runs = runs;
  }

  @Override
  public void routing(HttpRules rules) {
    rules
        .post("/", (request, response) -> answer(request, response, this::open))
        .get("/", (request, response) -> answer(request, response, this::list))
        .get("/{id}", (request, response) -> answer(request, response, this::find))
        .post("/{id}/cancel", (request, response) -> answer(request, response, this::cancel));
  }

  private record Reply(Status status, JsonObject body) {}

  @FunctionalInterface
  private interface Action {
    Reply perform(String principal, ServerRequest request) throws RefusedException;
  }

  private void answer(ServerRequest request, ServerResponse response, Action action) {
    Reply reply;
    try {
      reply = action.perform(gate.admit(request.headers()), request);
    } catch (RefusedException e) {
      e.headers().forEach((name, value) -> response.header(name, value));
      reply = failed(e.status(), code(e.status()), e.error().message());
    }
    Replies.send(response, reply.status(), reply.body().toJson());
  }

  private Reply open(String principal, ServerRequest request) throws RefusedException {
    JsonObject body = body(request);
    String name = text(body, "name");
    String deadline = text(body, "deadline");
    RunsPort.Wish wish =
        new RunsPort.Wish(
            principal, name, deadline == null ? null : duration(deadline), retries(body));
    return switch (runs.open(wish)) {
      case RunsPort.Opened.Running(RunsPort.Run run) ->
          new Reply(Status.CREATED_201, RunJson.of(run));
      case RunsPort.Opened.Refused(String code, String message) ->
          failed(Status.CONFLICT_409, code, message);
    };
  }

  private Reply list(String principal, ServerRequest request) throws RefusedException {
    String limit = request.query().first("limit").orElse(Integer.toString(LISTED));
    String state = request.query().first("state").orElse(null);
    List<Json> listed =
        runs.list(principal, limit(limit), state == null ? null : state(state)).stream()
            .map(run -> RunJson.of(run).toJson())
            .toList();
    return new Reply(Status.OK_200, JsonObject.of("runs", Json.array(listed)));
  }

  private Reply find(String principal, ServerRequest request) {
    String id = id(request);
    return found(runs.find(principal, id), id);
  }

  private Reply cancel(String principal, ServerRequest request) throws RefusedException {
    String id = id(request);
    return found(runs.cancel(principal, id, text(body(request), "reason")), id);
  }

  private static Reply found(Optional<RunsPort.Run> run, String id) {
    return run.map(known -> new Reply(Status.OK_200, RunJson.of(known)))
        .orElseGet(() -> failed(Status.NOT_FOUND_404, "not_found", "no run has the id " + id));
  }

  private static Reply failed(Status status, String code, String message) {
    JsonObject error = JsonObject.of("code", Json.text(code)).with("message", Json.text(message));
    return new Reply(status, JsonObject.of("error", error.toJson()));
  }

  private static String code(Status status) {
    return switch (status.code()) {
      case Status.UNAUTHORIZED_401_CODE -> "unauthorized";
      case Status.FORBIDDEN_403_CODE -> "forbidden";
      case Status.UNSUPPORTED_MEDIA_TYPE_415_CODE -> "unsupported_media_type";
      default -> "invalid_request";
    };
  }

  private static String id(ServerRequest request) {
    return request.path().pathParameters().get("id");
  }

  /** The body's members; none when there is no body. */
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

  private static @Nullable String text(JsonObject body, String name) throws RefusedException {
    if (body.get(name) == null) {
      return null;
    }
    String text = body.text(name);
    if (text == null || text.isBlank() || text.length() > LONGEST_TEXT) {
      throw invalid(name + " must be a text of 1 to " + LONGEST_TEXT + " characters");
    }
    return text;
  }

  private static @Nullable Integer retries(JsonObject body) throws RefusedException {
    Json retries = body.get("retries");
    if (retries == null) {
      return null;
    }
    long number = retries.asLong().orElse(-1);
    if (number < 0 || number > 1_000_000) {
      throw invalid("retries must be a whole number, 0 to 1000000: " + retries);
    }
    return (int) number;
  }

  /** Reads {@code 2h}, {@code 1h30m}, {@code 90s}: ISO 8601 without its frame. */
  private static Duration duration(String text) throws RefusedException {
    Duration duration = Duration.ZERO;
    try {
      duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException e) {
      // Said below, as for one that is zero.
    }
    if (!duration.isPositive() || duration.compareTo(LONGEST_DEADLINE) > 0) {
      throw invalid("deadline must be a duration such as 90s, 30m or 2h: " + text);
    }
    return duration;
  }

  private static int limit(String text) throws RefusedException {
    int limit = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MOST_LISTED) {
      throw invalid("limit must be 1 to " + MOST_LISTED + ": " + text);
    }
    return limit;
  }

  private static RunsPort.State state(String text) throws RefusedException {
    for (RunsPort.State state : RunsPort.State.values()) {
      if (state.code().equals(text)) {
        return state;
      }
    }
    throw invalid(
        "state must be one of running, done, stopped, cancelled, expired, unknown: " + text);
  }

  private static RefusedException invalid(String message) {
    return RefusedException.of(Status.BAD_REQUEST_400, message);
  }
}
