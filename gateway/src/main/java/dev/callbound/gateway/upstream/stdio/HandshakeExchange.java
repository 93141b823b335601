package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.ServerQuestions;
import java.util.HashMap;
import java.util.Map;

/** A request of the gateway's own, made for no client: nobody follows it, nobody can be asked. */
record HandshakeExchange(Caller caller, long maxResultBytes) implements Exchange {
  static HandshakeExchange in(Revision revision, long maxResultBytes) {
    return new HandshakeExchange(Dialect.gateway(revision), maxResultBytes);
  }

  @Override
  public Map<String, String> mirroredArguments() {
    return Map.of();
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
  public void note(String note) {}

  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions) {
    Map<String, Message.Response> answers = new HashMap<>();
    questions.forEach(
        (name, question) -> answers.put(name, ServerQuestions.withoutClient(question)));
    return answers;
  }
}
