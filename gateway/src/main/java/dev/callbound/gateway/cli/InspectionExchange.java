package dev.callbound.gateway.cli;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A request that this program makes for itself, with no client behind it. Keeps the notes. */
final class InspectionExchange implements Exchange {
  /** A page of tools may be large: some servers have hundreds, each with a schema. */
  private static final long LARGEST_PAGE = 32L << 20;

  private final List<String> notes = new CopyOnWriteArrayList<>();

  /** What the wire had to say. */
  List<String> notes() {
    return notes;
  }

  @Override
  public Caller caller() {
    return new Caller(
        Revision.NEWEST,
        JsonObject.of("name", Json.text("callbound")).with("version", Json.text(Version.text())),
        JsonObject.EMPTY);
  }

  @Override
  public Map<String, String> mirroredArguments() {
    return Map.of();
  }

  @Override
  public long maxResultBytes() {
    return LARGEST_PAGE;
  }

  @Override
  public void sent() {}

  @Override
  public void notTaken() {}

  @Override
  public void signOfLife() {}

  @Override
  public void progress(JsonObject params) {}

  @Override
  public void notification(Message.Notification notification) {}

  @Override
  public void errorAnswer(RpcError error) {}

  @Override
  public void note(String note) {
    notes.add(note);
  }

  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions) {
    Map<String, Message.Response> answers = new HashMap<>();
    questions.forEach(
        (name, question) ->
            answers.put(
                name,
                new Message.ErrorResponse(
                    question.id(),
                    RpcError.of(RpcError.INTERNAL_ERROR, "there is no client to ask"))));
    return answers;
  }
}
