package dev.callbound.gateway.door;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.bridge.Client;
import dev.callbound.gateway.bridge.Conversation;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A bridge that does what the test says, and remembers what it was told. */
public final class ScriptedBridge implements Bridge {
  /** What happens when a request comes in; returns at once. */
  @FunctionalInterface
  public interface Script {
    void play(Message.Request request, Talk talk);
  }

  public final List<Guest> guests = new CopyOnWriteArrayList<>();
  public final List<Context> contexts = new CopyOnWriteArrayList<>();
  public final List<Message> heard = new CopyOnWriteArrayList<>();
  public final BlockingQueue<Talk> talks = new LinkedBlockingQueue<>();
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();

  public ScriptedBridge() {
    on(
        "initialize",
        (request, talk) -> talk.answer("{\"protocolVersion\":\"" + talk.revision + "\"}"));
    on("ping", (request, talk) -> talk.answer("{}"));
    on("hang", (request, talk) -> {});
  }

  public ScriptedBridge on(String method, Script script) {
    scripts.put(method, script);
    return this;
  }

  /** Waits, bounded, for the next request to be received. */
  public Talk nextTalk() throws InterruptedException {
    Talk talk = talks.poll(10, TimeUnit.SECONDS);
    if (talk == null) {
      throw new AssertionError("no request was received within 10 s");
    }
    return talk;
  }

  @Override
  public Client greet(Greeting greeting) {
    if ("nowhere".equals(greeting.server())) {
      throw new UnknownServerException("no server is called nowhere");
    }
    Guest guest = new Guest(greeting);
    guests.add(guest);
    return guest;
  }

  @Override
  public Conversation receive(Message.Request request, Client client, Context context) {
    contexts.add(context);
    Talk talk = new Talk(request, client.revision());
    talks.add(talk);
    scripts
        .getOrDefault(
            request.method(),
            (asked, unknown) -> unknown.fail(RpcError.METHOD_NOT_FOUND, "no such method"))
        .play(request, talk);
    return talk;
  }

  @Override
  public void receive(Message.Notification notification, Client client) {
    heard.add(notification);
  }

  @Override
  public void receive(Message.Response response, Client client) {
    heard.add(response);
  }

  /** A client that was greeted. */
  public static final class Guest implements Client {
    public final Greeting greeting;
    public final BlockingQueue<Message> news = new LinkedBlockingQueue<>();
    public final CountDownLatch closed = new CountDownLatch(1);

    Guest(Greeting greeting) {
      this.greeting = greeting;
    }

    @Override
    public Revision revision() {
      return greeting.revision();
    }

    @Override
    public JsonObject capabilities() {
      return greeting.capabilities();
    }

    @Override
    public JsonObject info() {
      return greeting.info();
    }

    @Override
    public String principal() {
      return greeting.principal();
    }

    @Override
    public @Nullable Message next(Duration patience) throws InterruptedException {
      return news.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  /** A conversation that the test leads. */
  public static final class Talk implements Conversation {
    public final Message.Request request;
    public final CountDownLatch left = new CountDownLatch(1);
    final Revision revision;
    private final BlockingQueue<Message> said = new LinkedBlockingQueue<>();
    private volatile @Nullable Reference reference;

    Talk(Message.Request request, Revision revision) {
      this.request = request;
      this.revision = revision;
    }

    public void say(Message message) {
      said.add(message);
    }

    public void answer(String json) {
      say(new Message.Result(request.id(), Json.of(json)));
    }

    public void fail(int code, String message) {
      say(new Message.ErrorResponse(request.id(), RpcError.of(code, message)));
    }

    public void refer(String run, String call) {
      reference = new Reference(run, call);
    }

    @Override
    public @Nullable Message next(Duration patience) throws InterruptedException {
      return said.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void left() {
      left.countDown();
    }

    @Override
    public @Nullable Reference reference() {
      return reference;
    }
  }
}
