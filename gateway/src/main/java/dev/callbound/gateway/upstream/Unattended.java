package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An exchange on nobody's behalf: a handshake, a subscription, a look at a server's tools. Keeps
 * what explains a failure, hears nothing else, and refuses every question. Thread-safe.
 */
public final class Unattended implements Exchange {
  /** What a server says about itself is small. */
  private static final long INTRODUCTION_BYTES = 1 << 20;

  private final Caller caller;
  private final long maxResultBytes;
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private volatile @Nullable RpcError error;

  /** An exchange in which a server introduces itself, or answers nothing at all. */
  public Unattended(Revision revision) {
    this(revision, INTRODUCTION_BYTES);
  }

  /** An exchange in which a server may answer at this length. */
  public Unattended(Revision revision, long maxResultBytes) {
    this.caller = Dialect.gateway(revision);
    this.maxResultBytes = maxResultBytes;
  }

  /** The error that the server answered with; null when it did not. */
  public @Nullable RpcError error() {
    return error;
  }

  /** What the wire had to say, in its order. */
  public List<String> notes() {
    return List.copyOf(notes);
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
    return maxResultBytes;
  }

  @Override
  public void sent() {
    // It can be made again at any time.
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
    // There is no client that it could be for.
  }

  @Override
  public void errorAnswer(RpcError answered) {
    error = answered;
  }

  @Override
  public void note(String note) {
    notes.add(note);
  }

  @Override
  public Map<String, Message.Response> ask(Map<String, Message.Request> questions) {
    Map<String, Message.Response> answers = new HashMap<>();
    questions.forEach(
        (name, question) -> answers.put(name, ServerQuestions.withoutClient(question)));
    return answers;
  }
}
