package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.Tool.Hints;
import dev.callbound.testkit.wire.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The tools that execute nothing, each failing in its own way. */
final class ReadTools {
  /** As {@code times}: the fault strikes every call. */
  private static final int ALWAYS = -1;

  private static final int NINE_MEBIBYTES = 9 * 1024 * 1024;

  private final List<Tool> tools = new ArrayList<>();

  private ReadTools() {}

  static List<Tool> all() {
    ReadTools reads = new ReadTools();
    reads.slowAndSilent();
    reads.statuses();
    reads.failuresInsideSuccess();
    reads.brokenBodies();
    reads.streams();
    reads.oddMessages();
    reads.questions();
    return reads.tools;
  }

  private void slowAndSilent() {
    add(
        "read_ok",
        "Answers at once.",
        object("text", Schema.text()),
        (a, n) -> List.of(Step.Reply.text(a.text("text", "ok"))));
    ObjectNode delay = object("delay_ms", Schema.integer());
    add(
        "read_slow",
        "Answers after a delay.",
        delay,
        (a, n) -> List.of(sleep(a, 2000), Step.Reply.text("slow but fine")));
    tools.add(
        new Tool(
            "late_response",
            Hints.READ,
            "Answers after a delay, cancelled or not.",
            delay,
            (a, n) -> List.of(sleep(a, 2000), Step.Reply.text("late")),
            List::of,
            true));
    fails("read_hang", "Never answers.", ALWAYS, a -> new Step.Hang());
    fails(
        "stall_after_headers",
        "Sends headers and a few bytes, then stalls.",
        ALWAYS,
        a -> new Step.Stall());
  }

  private void statuses() {
    fails(
        "flaky_n",
        "Fails N times, then works.",
        2,
        object("status", Schema.integer()),
        a -> Step.Status.of(a.number("status", 503)));
    for (int status : new int[] {400, 401, 403, 404}) {
      fails(
          "status_" + status,
          "Fails with HTTP " + status + ".",
          ALWAYS,
          a -> Step.Status.of(status));
    }
    for (int status : new int[] {500, 502, 503, 504}) {
      fails(
          "status_" + status,
          "Fails once with HTTP " + status + ".",
          1,
          a -> Step.Status.of(status));
    }
    fails(
        "status_524",
        "Fails with a proxy's HTML time-out page.",
        1,
        a ->
            new Step.Status(
                524,
                new HttpHeaders(),
                null,
                "<html><title>524: A timeout occurred</title></html>",
                "text/html"));
    fails(
        "status_429",
        "Rate limited, with Retry-After.",
        1,
        object("retry_after", Schema.anything()),
        a -> Step.Status.of(429).header("Retry-After", a.text("retry_after", "1")));
    fails(
        "retry_after_date",
        "Rate limited, Retry-After is an HTTP date.",
        1,
        object("seconds", Schema.integer()),
        a ->
            new Step.Status(
                429,
                new HttpHeaders(),
                new Step.RetryDate(Duration.ofSeconds(a.number("seconds", 2))),
                Step.Status.defaultBody(429),
                "application/json"));
    fails(
        "redirect",
        "Redirects the request elsewhere.",
        ALWAYS,
        object("location", Schema.text(), "status", Schema.integer()),
        a -> StepReader.redirect(a.json()));
  }

  private void failuresInsideSuccess() {
    errorText("is_error_text", ALWAYS, "the operation failed");
    errorText(
        "is_error_text_429",
        1,
        "API request failed (HTTP 429): Too Many Requests. Retry after 1 seconds.");
    errorText(
        "is_error_text_401",
        ALWAYS,
        "API request failed (HTTP 401): invalid or expired access token");
    errorText("is_error_text_500", 1, "API request failed (HTTP 500): internal server error");
    fails(
        "rpc_error",
        "HTTP 200 carrying a JSON-RPC error.",
        ALWAYS,
        object("code", Schema.integer(), "message", Schema.text(), "data", Schema.anything()),
        a -> StepReader.one("rpc_error", a.json()));
  }

  private void brokenBodies() {
    fails(
        "empty_success",
        "Succeeds with no content at all.",
        ALWAYS,
        a -> Step.Reply.of(Step.Content.EMPTY));
    fails(
        "no_reply_202",
        "Accepts the request and answers nothing.",
        ALWAYS,
        a -> new Step.Status(202, new HttpHeaders(), null, "", "application/json"));
    fails(
        "no_reply_200",
        "200 with an empty body.",
        ALWAYS,
        a -> new Step.Status(200, new HttpHeaders(), null, "", "application/json"));
    fails("garbage_json", "200 whose body is not JSON.", ALWAYS, a -> Step.Raw.GARBAGE);
    fails(
        "html_200",
        "200 whose body is an HTML page.",
        ALWAYS,
        a -> new Step.Raw(200, "text/html", "<html><body>Please sign in</body></html>"));
    fails(
        "truncated_body",
        "Half an answer, then the connection is cut.",
        1,
        a -> new Step.Truncate(Step.Content.NORMAL));
    add(
        "huge_result",
        "A very large answer.",
        object("bytes", Schema.integer(), "as", Schema.oneOf("text", "image")),
        (a, n) -> {
          boolean image = a.text("as", "text").equals("image");
          return List.of(
              Step.Reply.of(Step.Content.filler(a.number("bytes", NINE_MEBIBYTES), image)));
        });
  }

  private void streams() {
    ObjectNode pace = object("every_ms", Schema.integer(), "count", Schema.integer());
    add(
        "slow_progress",
        "Reports progress, then answers.",
        pace,
        (a, n) ->
            List.of(
                new Step.Progress(a.millis("every_ms", 200), a.number("count", 5)),
                Step.Reply.text("done")));
    add(
        "progress_forever",
        "Reports progress and never answers.",
        pace,
        (a, n) -> List.of(new Step.Progress(a.millis("every_ms", 200), 0), new Step.Hang()));
    add(
        "heartbeat_forever",
        "Signs of life, no progress, no answer.",
        object("every_ms", Schema.integer(), "as", Schema.oneOf("comment", "log", "ping")),
        (a, n) ->
            List.of(
                new Step.Heartbeat(a.millis("every_ms", 200), 0, StepReader.sign(a.json())),
                new Step.Hang()));
    add(
        "sse_drop",
        "Cuts the stream; the answer can be resumed.",
        object("drops", Schema.integer(), "work_ms", Schema.integer()),
        (a, n) -> {
          List<Step> steps = new ArrayList<>(List.of(new Step.Drop(true)));
          for (int drop = 1; drop < a.number("drops", 1); drop++) {
            steps.add(new Step.Resumed(Duration.ofSeconds(5)));
            steps.add(new Step.Drop(true));
          }
          steps.add(new Step.Sleep(a.millis("work_ms", 300)));
          steps.add(Step.Reply.text("resumed"));
          return steps;
        });
    fails(
        "sse_drop_lost", "Cuts the stream; nothing can be resumed.", 1, a -> new Step.Drop(false));
  }

  private void oddMessages() {
    add(
        "string_id",
        "Answers with the id turned into a string.",
        object(),
        (a, n) ->
            List.of(new Step.Reply(Step.Content.NORMAL, Step.ReplyId.AS_STRING, false, false)));
    add(
        "wrong_id",
        "Answers under an id nobody asked with.",
        object(),
        (a, n) -> List.of(new Step.Reply(Step.Content.NORMAL, Step.ReplyId.WRONG, false, false)));
    add(
        "duplicate_reply",
        "Answers twice.",
        object(),
        (a, n) -> List.of(new Step.Reply(Step.Content.NORMAL, Step.ReplyId.SAME, true, false)));
    add(
        "unicode_separators",
        "Text with raw line-separator characters.",
        object("split", Schema.flag()),
        (a, n) ->
            List.of(
                new Step.Reply(
                    Step.Content.text("before\u2028middle\u2029after\u0085end \uD83D\uDE80"),
                    Step.ReplyId.SAME,
                    false,
                    a.flag("split"))));
    add(
        "garbage_stdout",
        "Log noise among the messages, then the answer.",
        object("lines", Schema.integer()),
        (a, n) ->
            List.of(new Step.Noise(a.number("lines", 3), 0), Step.Reply.text("ok after noise")));
    add(
        "stderr_flood",
        "Floods stderr, then answers.",
        object("bytes", Schema.integer()),
        (a, n) ->
            List.of(
                new Step.Noise(0, a.number("bytes", 1 << 20)), Step.Reply.text("ok after flood")));
  }

  private void questions() {
    ObjectNode confirmation =
        object("type", "object", "properties", object("ok", object("type", "boolean")));
    asks(
        "need_elicitation",
        "elicitation/create",
        object("message", "Shall it go on?", "requestedSchema", confirmation));
    ObjectNode greeting =
        object("role", "user", "content", object("type", "text", "text", "Say hello."));
    asks(
        "need_sampling",
        "sampling/createMessage",
        object("messages", List.of(greeting), "maxTokens", 5));
    asks("need_roots", "roots/list", object());
    asks("need_ping", "ping", object());
  }

  private void asks(String name, String method, ObjectNode params) {
    add(
        name,
        "Sends " + method + " to the client and waits before answering.",
        object("timeout_ms", Schema.integer()),
        (a, n) -> List.of(new Step.Ask(method, params, a.millis("timeout_ms", 5000))));
  }

  private void errorText(String name, int times, String text) {
    fails(
        name,
        "Fails inside a successful response.",
        times,
        object("text", Schema.text()),
        a -> Step.Reply.of(Step.Content.error(a.text("text", text))));
  }

  private void fails(
      String name, String description, int times, Function<ToolArguments, Step> how) {
    fails(name, description, times, object(), how);
  }

  /** A tool that does one wrong thing in its first calls, and works afterwards. */
  private void fails(
      String name,
      String description,
      int times,
      ObjectNode properties,
      Function<ToolArguments, Step> how) {
    add(
        name,
        description,
        properties,
        (a, n) -> List.of(a.strikes(n, times) ? how.apply(a) : Step.Reply.normal()));
  }

  private void add(String name, String description, ObjectNode properties, Tool.Plan plan) {
    tools.add(new Tool(name, Hints.READ, description, properties, plan));
  }

  private static Step sleep(ToolArguments arguments, int standard) {
    return new Step.Sleep(arguments.millis("delay_ms", standard));
  }
}
