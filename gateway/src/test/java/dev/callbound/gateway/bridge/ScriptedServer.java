package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A server in this process that answers by a script, and keeps what it was asked. */
final class ScriptedServer implements UpstreamServer {
  /** A request that came. */
  record Asked(String method, JsonObject params) {}

  private final Function<Asked, Reply<Json>> script;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  ScriptedServer(Function<Asked, Reply<Json>> script) {
    this.script = script;
  }

  static Reply<Json> answered(String result) {
    return new Reply.Answered<>(Json.of(result));
  }

  /** What it was asked, in order. */
  List<Asked> asked() {
    return List.copyOf(asked);
  }

  /** The parameters of the requests of one method, in order. */
  List<JsonObject> asked(String method) {
    return asked.stream().filter(one -> one.method().equals(method)).map(Asked::params).toList();
  }

  @Override
  public String name() {
    return "one";
  }

  @Override
  public Reply<Introduction> introduction(Exchange exchange) {
    return Reply.failed(new Failure.NotSent("not asked"));
  }

  @Override
  public Reply<Json> request(String method, JsonObject params, Exchange exchange) {
    Asked one = new Asked(method, params);
    asked.add(one);
    return script.apply(one);
  }

  @Override
  public void send(Message.Notification notification) {}

  @Override
  public void listen(Listener listener) {}

  @Override
  public void close() {}
}
