package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads steps from the JSON of a tool's arguments or of a control request. */
final class StepReader {
  private StepReader() {}

  /**
   * Reads an array of steps, all of them before any is done.
   *
   * @throws IllegalArgumentException if one of them is none, naming it
   */
  static List<Step> list(JsonNode steps) {
    List<Step> read = new ArrayList<>();
    for (JsonNode step : steps) {
      read.add(one(step.path("do").asText(), step));
    }
    return read;
  }

  /** Reads the step of this name with the options that the object gives. */
  static Step one(String name, JsonNode s) {
    return switch (name) {
      case "effect" ->
          new Step.Effect(
              s.path("keyed").asBoolean(),
              s.hasNonNull("ttl_ms") ? millis(s, "ttl_ms", 0) : null,
              s.path("once_per_marker").asBoolean());
      case "reserve" -> new Step.Reserve(s.path("while_pending").asText().equals("conflict"));
      case "sleep" -> new Step.Sleep(millis(s, "ms", 1000));
      case "progress" -> new Step.Progress(millis(s, "every_ms", 200), s.path("count").asInt(5));
      case "heartbeat" ->
          new Step.Heartbeat(millis(s, "every_ms", 200), s.path("count").asInt(0), sign(s));
      case "noise" -> new Step.Noise(s.path("lines").asInt(0), s.path("bytes").asInt(0));
      case "ask" ->
          new Step.Ask(
              s.path("method").asText(),
              s.path("params").isObject() ? s.path("params") : JsonRpc.object(),
              millis(s, "timeout_ms", 5000));
      case "reply" ->
          new Step.Reply(
              content(s), id(s), s.path("twice").asBoolean(), s.path("split").asBoolean());
      case "rpc_error" ->
          new Step.RpcError(
              s.path("code").asInt(-32603),
              s.path("message").asText("Internal error"),
              s.hasNonNull("data") ? s.path("data") : null);
      case "status" -> status(s);
      case "raw" ->
          new Step.Raw(
              s.path("status").asInt(Step.Raw.GARBAGE.status()),
              s.path("type").asText(Step.Raw.GARBAGE.type()),
              s.path("body").asText(Step.Raw.GARBAGE.body()));
      case "redirect" -> redirect(s);
      case "truncate" -> new Step.Truncate(content(s));
      case "stall" -> new Step.Stall();
      case "drop" -> new Step.Drop(s.path("resumable").asBoolean(true));
      case "resumed" -> new Step.Resumed(millis(s, "timeout_ms", 5000));
      case "reset" -> new Step.Reset();
      case "close" -> new Step.Close();
      case "hang" -> new Step.Hang();
      case "crash" -> new Step.Crash(s.path("code").asInt(137));
      default -> throw new IllegalArgumentException("unknown step: " + s);
    };
  }

  static Step redirect(JsonNode s) {
    Step.Status redirect =
        new Step.Status(
            s.path("status").asInt(307), new HttpHeaders(), null, "", "application/json");
    return redirect.header("Location", s.path("location").asText());
  }

  static Step.Status status(JsonNode s) {
    int status = s.path("status").asInt(500);
    HttpHeaders headers = new HttpHeaders();
    s.path("headers").properties().forEach(h -> headers.set(h.getKey(), h.getValue().asText()));
    if (s.hasNonNull("retry_after")) {
      headers.set("Retry-After", s.path("retry_after").asText());
    }
    Step.RetryDate date =
        s.hasNonNull("retry_after_date")
            ? new Step.RetryDate(Duration.ofSeconds(s.path("retry_after_date").asLong()))
            : null;
    JsonNode body = s.path("body");
    String text =
        body.isTextual()
            ? body.asText()
            : body.isMissingNode() ? Step.Status.defaultBody(status) : JsonRpc.text(body);
    return new Step.Status(status, headers, date, text, s.path("type").asText("application/json"));
  }

  static Step.Sign sign(JsonNode s) {
    return Step.Sign.valueOf(s.path("as").asText("comment").toUpperCase(Locale.ROOT));
  }

  private static Step.Content content(JsonNode s) {
    return new Step.Content(
        s.hasNonNull("text") ? s.path("text").asText() : null,
        s.hasNonNull("value") ? s.path("value") : null,
        s.path("is_error").asBoolean(),
        s.path("empty").asBoolean(),
        s.path("bytes").asInt(0),
        s.path("as").asText().equals("image"));
  }

  private static Step.ReplyId id(JsonNode s) {
    return switch (s.path("id_as").asText("")) {
      case "" -> Step.ReplyId.SAME;
      case "string" -> Step.ReplyId.AS_STRING;
      case "wrong" -> Step.ReplyId.WRONG;
      default -> throw new IllegalArgumentException("id_as must be string or wrong: " + s);
    };
  }

  private static Duration millis(JsonNode s, String field, int standard) {
    return Duration.ofMillis(s.path(field).asInt(standard));
  }
}
