package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.AddressRange;
import dev.callbound.gateway.config.AddressRules;
import dev.callbound.gateway.config.Annotations;
import dev.callbound.gateway.config.Prefix;
import dev.callbound.gateway.config.ProfileChoice;
import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolBounds;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.FaultAdmin;
import dev.callbound.testkit.FaultServer;
import dev.callbound.testkit.LedgerReport;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A misbehaving server and the upstream in front of it. With {@code -Dfaults.at=URL} it is a server
 * that runs elsewhere and has the same tools.
 */
final class Faults implements AutoCloseable {
  private final @Nullable FaultServer inside;
  private final @Nullable FaultAdmin outside;
  final URI url;
  final StreamableHttpServer server;

  private Faults(@Nullable FaultServer inside, Protocol protocol) throws Exception {
    String at = System.getProperty("faults.at");
    this.inside = inside;
    this.url = inside == null ? URI.create(at) : inside.url();
    this.outside = inside == null ? FaultAdmin.at(url) : null;
    if (outside != null) {
      outside.reset();
      outside.control("{\"expire_sessions\": true}");
    }
    this.server = connect(transport(url), protocol);
  }

  static Faults start() throws Exception {
    return start(Protocol.AUTO);
  }

  static Faults start(Protocol protocol) throws Exception {
    return new Faults(
        System.getProperty("faults.at") == null ? FaultServer.http().start() : null, protocol);
  }

  static Faults of(FaultServer.Builder builder) throws Exception {
    return new Faults(builder.start(), Protocol.AUTO);
  }

  static StreamableHttpServer connect(ServerConfig.Http transport) {
    return connect(transport, Protocol.AUTO);
  }

  static StreamableHttpServer connect(ServerConfig.Http transport, Protocol protocol) {
    return connect(transport, protocol, Duration.ofSeconds(10));
  }

  static StreamableHttpServer connect(
      ServerConfig.Http transport, Protocol protocol, Duration startTimeout) {
    return connect(transport, protocol, startTimeout, Secrets.of(List.of("123456")));
  }

  static StreamableHttpServer connect(
      ServerConfig.Http transport, Protocol protocol, Duration startTimeout, Secrets secrets) {
    return new StreamableHttpServer(
        new ServerConfig(
            "faults",
            transport,
            Annotations.BELIEVED,
            Prefix.COLLISIONS,
            protocol,
            startTimeout,
            8 << 20,
            ServerConfig.Crowd.STANDARD,
            new ProfileChoice.ByServer(),
            ToolBounds.STANDARD),
        transport,
        secrets);
  }

  static ServerConfig.Http transport(URI url) {
    return new ServerConfig.Http(
        url,
        Map.of("Authorization", Secret.of("Bearer 123456")),
        null,
        new AddressRules(List.of(AddressRange.parse("127.0.0.0/8"), AddressRange.parse("::1"))),
        Duration.ofSeconds(2),
        Set.of());
  }

  Reply<Json> call(String tool, String arguments, RecordingExchange exchange) {
    return call(server, tool, arguments, exchange);
  }

  static Reply<Json> call(
      StreamableHttpServer server, String tool, String arguments, RecordingExchange exchange) {
    return server.request(
        "tools/call",
        JsonObject.of("name", Json.text(tool)).with("arguments", Json.of(arguments)),
        exchange);
  }

  Json ok(String tool, String arguments) {
    return ok(call(tool, arguments, new RecordingExchange()));
  }

  static Json ok(Reply<Json> reply) {
    return switch (reply) {
      case Reply.Answered<Json>(Json result) -> result;
      case Reply.Failed<Json>(Failure failure, _) ->
          throw new AssertionError(failure.kind() + ": " + failure.detail());
    };
  }

  Failure failure(String tool, String arguments) {
    return failure(call(tool, arguments, new RecordingExchange()));
  }

  static Failure failure(Reply<Json> reply) {
    return switch (reply) {
      case Reply.Answered<Json>(Json result) -> throw new AssertionError("answered: " + result);
      case Reply.Failed<Json>(Failure failure, _) -> failure;
    };
  }

  LedgerReport ledger() throws Exception {
    return inside != null ? inside.ledger() : outside.ledger();
  }

  void control(String json) throws Exception {
    if (inside != null) {
      inside.control(json);
    } else {
      outside.control(json);
    }
  }

  /** The server's process as this one knows it; null when it runs elsewhere. */
  @Nullable FaultServer inside() {
    return inside;
  }

  /** Waits until it holds, for ten seconds at most. */
  static boolean eventually(BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > 10_000_000_000L) {
        return false;
      }
      LockSupport.parkNanos(5_000_000);
    }
    return true;
  }

  @Override
  public void close() {
    server.close();
    if (inside != null) {
      inside.close();
    }
    if (outside != null) {
      outside.close();
    }
  }
}
