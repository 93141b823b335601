package dev.callbound.gateway.door.stdio;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.bridge.Client;
import dev.callbound.gateway.door.DoorErrors;
import dev.callbound.gateway.door.Handshake;
import dev.callbound.gateway.door.RequestMeta;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the client of a stdio door says, handed on: in a session where it began one, or request by
 * request. Messages are taken by one thread; {@link #close} may come from another.
 */
final class StdioClient implements AutoCloseable {
  private static final String CANCELLED = "notifications/cancelled";

  /** How long a thread waits for something to say before it looks whether it is over. */
  private static final Duration TURN = Duration.ofSeconds(30);

  private final Bridge bridge;
  private final Exchanges exchanges;
  private final int maxCalls;
  private final Consumer<Message> say;
  private volatile @Nullable Client session;
  private volatile boolean closed;

  /**
   * @param say writes to the client; takes messages from any thread
   */
  StdioClient(Bridge bridge, Exchanges exchanges, int maxCalls, Consumer<Message> say) {
    this.bridge = bridge;
    this.exchanges = exchanges;
    this.maxCalls = maxCalls;
    this.say = say;
  }

  void take(Message message) {
    switch (message) {
      case Message.Request request -> request(request);
      case Message.Notification notification -> notification(notification);
      case Message.Response response -> {
        Client asked = session;
        if (asked != null) {
          bridge.receive(response, asked);
        }
      }
    }
  }

  private void request(Message.Request request) {
    if (exchanges.find(request.id()) != null) {
      refuse(request, RpcError.of(RpcError.INVALID_REQUEST, "a request of this id is in flight"));
    } else if (exchanges.count() >= maxCalls) {
      refuse(request, DoorErrors.busy("as many calls as are allowed are in flight"));
    } else if (RequestMeta.version(request.params()) != null) {
      alone(request);
    } else if (request.method().equals(Handshake.METHOD)) {
      begin(request);
    } else {
      inSession(request);
    }
  }

  /** A request of a revision without sessions. */
  private void alone(Message.Request request) {
    try {
      RequestMeta meta = RequestMeta.of(request);
      Client client = bridge.greet(meta.greeting(StdioDoor.LOCAL, null));
      carry(request, client, _ -> client.close());
    } catch (RequestMeta.InvalidMetaException e) {
      refuse(request, e.error());
    }
  }

  private void begin(Message.Request initialize) {
    if (session != null) {
      refuse(initialize, RpcError.of(RpcError.INVALID_REQUEST, "this session has already begun"));
      return;
    }
    Client client =
        bridge.greet(
            Handshake.greeting(initialize, StdioDoor.LOCAL, null, UUID.randomUUID().toString()));
    session = client;
    carry(initialize, client, answer -> begun(answer, client));
  }

  private void begun(Message.@Nullable Response answer, Client client) {
    if (answer instanceof Message.Result) {
      Thread.ofVirtual().name("stdio-session").start(() -> tell(client));
    } else {
      session = null;
      client.close();
    }
  }

  private void inSession(Message.Request request) {
    Client client = session;
    if (client == null) {
      refuse(
          request,
          RpcError.of(
              RpcError.INVALID_REQUEST,
              "begin with initialize, or name the protocol version in params._meta"));
    } else {
      carry(request, client, _ -> {});
    }
  }

  private void notification(Message.Notification notification) {
    Client client = session;
    if (notification.method().equals(CANCELLED)) {
      Json id = notification.params().get("requestId");
      Exchanges.Exchange exchange = id == null ? null : exchanges.find(id);
      if (exchange != null) {
        exchange.cancel();
        client = exchange.client();
      }
    }
    if (client != null) {
      bridge.receive(notification, client);
    }
  }

  /** Hands a request on, and tells the client all that comes back. */
  private void carry(
      Message.Request request, Client client, Consumer<Message.@Nullable Response> ended) {
    Exchanges.Exchange exchange =
        exchanges.add(request.id(), client, bridge.receive(request, client, Bridge.Context.NONE));
    Thread.ofVirtual()
        .name("stdio-request")
        .start(
            () -> {
              Message.Response answer = null;
              try {
                answer = converse(exchange);
              } finally {
                ended.accept(answer);
                // A client may ask again as soon as it has read the answer, under the same id too.
                exchanges.free(request.id());
                try {
                  if (answer != null && !exchange.isCancelled()) {
                    say.accept(answer);
                  }
                } finally {
                  exchanges.over();
                }
              }
            });
  }

  /** Says all that comes before the answer, and returns that; null where there is none. */
  private Message.@Nullable Response converse(Exchanges.Exchange exchange) {
    try {
      while (true) {
        Message next = exchange.conversation().next(TURN);
        if (next instanceof Message.Response answer) {
          return answer;
        }
        if (next != null && !exchange.isCancelled()) {
          say.accept(next);
        }
      }
    } catch (InterruptedException e) {
      exchange.conversation().left();
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Tells the client what is said outside any request. */
  private void tell(Client client) {
    try {
      while (!closed) {
        Message next = client.next(TURN);
        if (next != null && !closed) {
          say.accept(next);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuse(Message.Request request, RpcError error) {
    say.accept(new Message.ErrorResponse(request.id(), error));
  }

  /** The client has gone. */
  @Override
  public void close() {
    closed = true;
    Client client = session;
    if (client != null) {
      client.close();
    }
  }
}
