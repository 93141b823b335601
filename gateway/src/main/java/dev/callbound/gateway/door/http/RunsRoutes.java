package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs over HTTP, for programs: open one, look at it, watch it, end it. */
final class RunsRoutes implements HttpService {
  /** How many runs a list shows unless it says otherwise. */
  static final int LISTED = 50;

  /** The most that a list may ask for. */
  static final int MOST_LISTED = 1_000;

  private static final Duration LONGEST_DEADLINE = Duration.ofDays(365);

  private static final String DURATION = "(?i)(\\d+h)?(\\d+m)?(\\d+(\\.\\d+)?s)?";

  private static final int LONGEST_KEY = 200;

  /** As many as the config may give. */
  private static final int MOST_RETRIES = 100_000;

  /** More of what was given wrongly is not repeated. */
  private static final int LONGEST_SHOWN = 100;

  private final Api api;
  private final RunsPort runs;
  private final RunEvents events;

  RunsRoutes(Gate gate, RunsPort runs, RunEvents events) {
    this.api = new Api(gate);
    this.runs = runs;
    this.events = events;
  }

  @Override
  public void routing(HttpRules rules) {
    rules
        .post("/", (request, response) -> api.answer(request, response, this::open))
        .get("/", (request, response) -> api.answer(request, response, this::list))
        .get("/{id}", (request, response) -> api.answer(request, response, this::find))
        .get("/{id}/events", events)
        .post("/{id}/finish", (request, response) -> api.answer(request, response, this::finish))
        .post("/{id}/cancel", (request, response) -> api.answer(request, response, this::cancel));
  }

  private Api.Reply open(String principal, ServerRequest request) throws RefusedException {
    JsonObject body = Api.body(request, "name", "client", "deadline", "retries", "spend", "expect");
    RunsPort.Wish wish =
        new RunsPort.Wish(
            principal,
            key(request),
            Api.text(body, "client"),
            Api.text(body, "name"),
            deadline(body),
            retries(body),
            spend(body),
            expected(body));
    return switch (runs.open(wish)) {
      case RunsPort.Opened.Running(RunsPort.Run run) ->
          new Api.Reply(Status.CREATED_201, RunJson.of(run));
      case RunsPort.Opened.Found(RunsPort.Run run) -> new Api.Reply(Status.OK_200, RunJson.of(run));
      case RunsPort.Opened.Invalid(String message) ->
          Api.failed(Status.BAD_REQUEST_400, "invalid_request", message);
      case RunsPort.Opened.KeyReused(String message) ->
          Api.failed(Status.UNPROCESSABLE_CONTENT_422, "idempotency_key_reused", message);
      case RunsPort.Opened.Refused(String code, String message) ->
          Api.failed(Status.CONFLICT_409, code, message);
    };
  }

  /** A string in quotes, as the draft of the header has it; or bare, as most send it. */
  private static @Nullable String key(ServerRequest request) throws RefusedException {
    String sent = request.headers().first(HeaderField.IDEMPOTENCY_KEY).orElse(null);
    if (sent == null) {
      return null;
    }
    String key = sent.strip();
    if (key.length() >= 2 && key.startsWith("\"") && key.endsWith("\"")) {
      key = key.substring(1, key.length() - 1);
    }
    if (key.isBlank() || key.length() > LONGEST_KEY) {
      throw Api.invalid("Idempotency-Key must have 1 to " + LONGEST_KEY + " characters");
    }
    return key;
  }

  private Api.Reply list(String principal, ServerRequest request) throws RefusedException {
    String limit = request.query().first("limit").orElse(Integer.toString(LISTED));
    String state = request.query().first("state").orElse(null);
    List<Json> listed =
        runs.list(principal, limit(limit), state == null ? null : state(state)).stream()
            .map(run -> RunJson.of(run).toJson())
            .toList();
    return new Api.Reply(Status.OK_200, JsonObject.of("runs", Json.array(listed)));
  }

  private Api.Reply find(String principal, ServerRequest request) {
    String id = Api.id(request);
    return found(runs.find(principal, id), id);
  }

  private Api.Reply finish(String principal, ServerRequest request) throws RefusedException {
    String id = Api.id(request);
    return found(runs.finish(principal, id, reason(request)), id);
  }

  private Api.Reply cancel(String principal, ServerRequest request) throws RefusedException {
    String id = Api.id(request);
    return found(runs.cancel(principal, id, reason(request)), id);
  }

  private static @Nullable String reason(ServerRequest request) throws RefusedException {
    return Api.text(Api.body(request, "reason"), "reason");
  }

  private static Api.Reply found(Optional<RunsPort.Run> run, String id) {
    return run.map(known -> new Api.Reply(Status.OK_200, RunJson.of(known)))
        .orElseGet(() -> Api.noRun(id));
  }

  private static @Nullable Integer retries(JsonObject body) throws RefusedException {
    Json retries = body.get("retries");
    if (retries == null) {
      return null;
    }
    long number = retries.asLong().orElse(-1);
    if (number < 0 || number > MOST_RETRIES) {
      throw Api.invalid(
          "retries must be a whole number, 0 to " + MOST_RETRIES + ": " + shown(retries));
    }
    return (int) number;
  }

  /** A number, or the same as a text, so that no program has to round it. */
  private static @Nullable String spend(JsonObject body) throws RefusedException {
    Json spend = body.get("spend");
    if (spend == null) {
      return null;
    }
    String amount = spend.asText().orElseGet(spend::toString);
    if (amount.length() > LONGEST_SHOWN) {
      throw Api.invalid("spend must be an amount such as 0.25: " + shown(spend));
    }
    return amount;
  }

  private static List<String> expected(JsonObject body) throws RefusedException {
    Json expected = body.get("expect");
    if (expected == null) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (Json one : expected.elements()) {
      one.asText().ifPresent(texts::add);
    }
    if (!expected.isArray() || texts.size() != expected.elements().size()) {
      throw Api.invalid("expect must be a list of texts, such as [\"tool:SERVER/TOOL\"]");
    }
    return texts;
  }

  /** Reads {@code 2h}, {@code 1h30m}, {@code 90s}: ISO 8601 without its frame. */
  private static @Nullable Duration deadline(JsonObject body) throws RefusedException {
    Json given = body.get("deadline");
    if (given == null) {
      return null;
    }
    String text = given.asText().orElse("");
    Duration duration = Duration.ZERO;
    try {
      duration = text.matches(DURATION) ? Duration.parse("PT" + text) : Duration.ZERO;
    } catch (DateTimeParseException | ArithmeticException e) {
      // Said below, as for one that is zero.
    }
    if (!duration.isPositive() || duration.compareTo(LONGEST_DEADLINE) > 0) {
      throw Api.invalid(
          "deadline must be a duration such as 90s, 30m or 2h, and at most %dh: %s"
              .formatted(LONGEST_DEADLINE.toHours(), shown(given)));
    }
    return duration;
  }

  /** A value that was given, as far as it helps to see it again. */
  private static String shown(Json given) {
    return Api.cut(given.asText().orElseGet(given::toString), LONGEST_SHOWN);
  }

  private static int limit(String text) throws RefusedException {
    int limit = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MOST_LISTED) {
      throw Api.invalid("limit must be 1 to " + MOST_LISTED + ": " + text);
    }
    return limit;
  }

  private static RunsPort.State state(String text) throws RefusedException {
    for (RunsPort.State state : RunsPort.State.values()) {
      if (state.code().equals(text)) {
        return state;
      }
    }
    throw Api.invalid(
        "state must be one of running, done, stopped, cancelled, expired, unknown: " + text);
  }
}
