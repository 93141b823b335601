package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.ServerQuestions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An exchange on nobody's behalf: a handshake, a subscription. Remembers the error answer. */
final class Unattended implements Exchange {
  /** What a server says about itself is small. */
  private static final long MAX_RESULT_BYTES = 1 << 20;

  private final Caller caller;
  private volatile @Nullable RpcError error;

  Unattended(Revision revision) {
    this.caller = Dialect.gateway(revision);
  }

  /** The error that the server answered with; null when it did not. */
  @Nullable RpcError error() {
    return error;
  }

  @Override
  public Caller caller() {
    return caller;
  }

  @Override
  public Map<String, String> mirroredArguments() {
    return Map.of();
  }

  @Override
  public long maxResultBytes() {
    return MAX_RESULT_BYTES;
  }

  @Override
  public void sent() {
    // A handshake can be made again at any time.
  }

  @Override
  public void notTaken() {
    // See sent().
  }

  @Override
  public void signOfLife() {
    // Nobody watches.
  }

  @Override
  public void progress(JsonObject params) {
    // Nobody asked for it.
  }

  @Override
  public void notification(Message.Notification notification) {
    // There is no client yet that it could be for.
  }

  @Override
  public void errorAnswer(RpcError answered) {
    error = answered;
  }

  @Override
  public void note(String note) {
    // There is no record yet that it could stand in.
  }

  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions) {
    Map<String, Message.Response> answers = new HashMap<>();
    questions.forEach(
        (name, question) -> answers.put(name, ServerQuestions.withoutClient(question)));
    return answers;
  }
}
