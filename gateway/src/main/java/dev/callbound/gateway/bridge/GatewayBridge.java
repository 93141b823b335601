package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.Prefix;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.run.Runs;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalStore;
import dev.callbound.policy.Time;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bridge between the doors and the servers: each request is handled on a virtual thread of its
 * own, by the part that knows its method.
 */
public final class GatewayBridge implements Bridge {
  private static final System.Logger LOG = System.getLogger(GatewayBridge.class.getName());

  /** What a client may ask of a session, and not without one (MCP 2026-07-28, changes). */
  private static final Set<String> OF_SESSIONS =
      Set.of(
          "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe");

  /** How long what was cancelled has to end. */
  private static final Duration LETTING_GO = Duration.ofSeconds(5);

  private final Gates gates;
  private final Catalog catalog;
  private final Hub hub = new Hub();
  private final Questions.Parked parked = new Questions.Parked();
  private final Settler settler;
  private final ToolCalls toolCalls;
  private final Leftovers leftovers;
  private final Unknowns unknowns;
  private final Approvals approvals;
  private final OwnTools ownTools;
  private final TaskMethods tasks;
  private final Passthrough passthrough;
  private final Underway underway = new Underway();
  private final Runs runs;
  private final OpenRequests requests;

  /**
   * A bridge to these servers.
   *
   * @param servers one for each server of the configuration, in its order; not yet used
   */
  public GatewayBridge(
      Config config,
      List<UpstreamServer> servers,
      Runs runs,
      JournalStore journal,
      Ids ids,
      Time time,
      InstantSource clock) {
    this.runs = runs;
    this.requests = new OpenRequests(config.listen().maxCalls());
    Map<String, Prefix> prefixes = new LinkedHashMap<>();
    config
        .servers()
        .forEach(
            (name, server) ->
                prefixes.put(
                    name, config.servers().size() == 1 ? Prefix.COLLISIONS : server.prefix()));
    ToolNames names = new ToolNames(prefixes, journal.toolsSeen());
    this.gates = new Gates(config, journal.servers(), time, clock);
    List<ServerTools> tools = new ArrayList<>();
    for (UpstreamServer server : servers) {
      ServerConfig bounds = config.servers().get(server.name());
      if (bounds == null) {
        throw new IllegalArgumentException("no configuration for server " + server.name());
      }
      tools.add(
          new ServerTools(
              bounds,
              server,
              gates.of(server.name()),
              new JournaledTools(server.name(), journal, names),
              clock));
      server.listen(this::heard);
    }
    this.catalog = new Catalog(tools, names);
    ContentsByTool contents = new ContentsByTool(config.secrets());
    Flights flights = new Flights();
    this.settler = new Settler(journal, clock, contents);
    this.approvals = Approvals.in(journal.tasks(), clock);
    EndedCalls endedCalls = new EndedCalls(journal, catalog, clock, config.settleByModel());
    TaskBook book = new TaskBook(journal, underway, endedCalls, catalog, hub, clock);
    this.toolCalls =
        new ToolCalls(
            config, catalog, runs, journal, ids, clock, parked, contents, settler, flights,
            underway, book, approvals);
    KeptOrders orders = new KeptOrders(catalog, runs, journal, clock);
    this.leftovers =
        new Leftovers(journal, clock, orders, flights, parked, book, toolCalls, settler);
    this.unknowns = new Unknowns(journal, clock, orders, settler);
    this.ownTools =
        new OwnTools(
            new OutcomeTool(config.settleByModel(), journal, unknowns),
            new AwaitTool(unknowns, underway, endedCalls, catalog));
    this.tasks = new TaskMethods(book, underway, endedCalls, journal, clock);
    this.passthrough = new Passthrough(catalog, hub, parked);
  }

  private void heard(UpstreamServer server, Message.Notification notification) {
    ServerTools tools = catalog.server(server.name());
    if (tools != null && notification.method().equals("notifications/tools/list_changed")) {
      tools.changed();
    }
    hub.heard(server.name(), notification);
  }

  @Override
  public Client greet(Greeting greeting) {
    String server = greeting.server();
    if (server != null && catalog.server(server) == null) {
      throw new UnknownServerException("there is no server named " + server);
    }
    Session session = new Session(greeting);
    if (greeting.revision().hasSessions()) {
      hub.join(session);
      session.whenClosed(() -> endRun(session));
    }
    return session;
  }

  /** A session's own run is done when the session is. */
  private void endRun(Session session) {
    Run run = session.ownRun();
    if (run != null && !run.over()) {
      Thread.ofVirtual().name("end-run").start(() -> runs.sessionEnded(run));
    }
  }

  @Override
  public Conversation receive(Message.Request request, Client client, Context context) {
    Talk talk = new Talk(request);
    String refusal = requests.enter();
    if (refusal != null) {
      talk.fail(RpcError.of(RpcError.INTERNAL_ERROR, refusal));
      return talk;
    }
    Session session = (Session) client;
    Thread.ofVirtual()
        .name("request")
        .start(
            () -> {
              try {
                route(talk, session, context);
              } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "method=" + request.method() + " failed=yes", e);
                talk.fail(
                    RpcError.of(
                        RpcError.INTERNAL_ERROR,
                        "an unexpected error in the gateway; its log says more"));
              } finally {
                requests.leave();
              }
            });
    return talk;
  }

  private void route(Talk talk, Session session, Context context) {
    Message.Request request = talk.request();
    String state = request.params().text("requestState");
    if (state != null && state.startsWith(Questions.STATE)) {
      resume(talk, session, state);
      return;
    }
    String method = request.method();
    if (!session.revision().hasSessions() && OF_SESSIONS.contains(method)) {
      talk.fail(notFound(method));
      return;
    }
    @Nullable String endpoint = session.greeting().server();
    switch (method) {
      case "tools/call" -> {
        String name = request.params().text("name");
        if (name == null || !ownTools.handle(name, talk, session)) {
          toolCalls.handle(talk, session, context);
        }
      }
      case "tools/list" -> listTools(talk, session);
      case "ping" -> talk.answer(JsonObject.EMPTY.toJson());
      case "initialize" -> talk.answer(Welcome.initialize(catalog.at(endpoint), session.caller()));
      case "server/discover" ->
          talk.answer(Welcome.discover(catalog.at(endpoint), session.caller()));
      case "subscriptions/listen" -> listen(talk, session);
      default -> {
        if (Passthrough.handles(method)) {
          passthrough.handle(talk, session);
        } else if (TaskMethods.handles(session.revision(), method)) {
          tasks.handle(talk, session);
        } else {
          talk.fail(notFound(method));
        }
      }
    }
  }

  private static RpcError notFound(String method) {
    return RpcError.of(RpcError.METHOD_NOT_FOUND, "Method not found: " + method);
  }

  /** The client comes back with the answers that a request waits for: it goes on. */
  private void resume(Talk talk, Session session, String state) {
    Questions waiting = parked.take(state, session.principal());
    if (waiting == null) {
      talk.fail(
          RpcError.of(
              RpcError.INVALID_PARAMS,
              "nothing waits for answers under this requestState any more; begin anew"));
      return;
    }
    waiting.resume(talk, talk.request().params().object("inputResponses"));
  }

  private void listTools(Talk talk, Session session) {
    Catalog.Shown shown = catalog.shown(session.greeting().server(), session.caller());
    if (shown.failure() != null) {
      talk.fail(shown.failure());
      return;
    }
    List<Json> all = new ArrayList<>(shown.tools());
    all.addAll(ownTools.listed(session, catalog.at(session.greeting().server())));
    JsonObject result = Stale.marked(JsonObject.of("tools", Json.array(all)), shown.stale());
    talk.answer(Translation.forClient(session.revision(), "tools/list", result.toJson()));
  }

  private void listen(Talk talk, Session session) {
    if (session.revision().hasSessions()) {
      talk.fail(notFound("subscriptions/listen"));
      return;
    }
    JsonObject asked = talk.request().params().object("notifications");
    if (asked.get("taskIds") != null && !session.takesTasks()) {
      talk.fail(TaskMethods.undeclared());
      return;
    }
    Runnable close = () -> hub.close(talk);
    List<String> followed = tasks.followed(session, asked);
    passthrough.subscribe(hub.open(talk, session, followed), session);
    tasks.tell(followed);
    session.cancellable(talk.request().id(), close);
    talk.whenLeft(close);
  }

  @Override
  public void receive(Message.Notification notification, Client client) {
    if (notification.method().equals("notifications/cancelled")) {
      Json id = notification.params().get("requestId");
      if (id != null) {
        ((Session) client).cancel(id);
      }
    }
  }

  @Override
  public void receive(Message.Response response, Client client) {
    ((Session) client).answered(response);
  }

  /** What keeps calls from the servers. */
  public Gates gates() {
    return gates;
  }

  /** What settles unknown calls. */
  public Unknowns unknowns() {
    return unknowns;
  }

  /** Goes on with what an earlier process left open. Called once, before any client is served. */
  public void takeUp() {
    leftovers.takeUp();
  }

  /** What calls wait for that a person must approve. */
  public Approvals approvals() {
    return approvals;
  }

  /**
   * Takes nothing new, and waits for what is in flight: until it has ended, or for the grace, after
   * which it is cancelled and ends recorded. What somebody comes back for, and can go on in the
   * next process, is left open for it instead; what waits for a person is so at once.
   */
  public void stop(Duration grace) throws InterruptedException {
    requests.stop();
    hub.closeAll();
    underway.all().stream().filter(OpenCall::waitsForPerson).forEach(OpenCall::shutDown);
    requests.awaitNone(grace);
    underway.all().forEach(OpenCall::shutDown);
    requests.awaitNone(LETTING_GO);
    underway.awaitNone(LETTING_GO);
    settler.close();
    approvals.close();
  }
}
