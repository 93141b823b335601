package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Annotations;
import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.journal.EffectSource;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Entrance;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one server, as it listed them last. Thread-safe.
 *
 * <p>Listed on behalf of the client that needs them, so that the server is spoken to in that
 * client's era; listed when they are first needed, and again after the server said that they
 * changed. A server that can't be listed is left alone for a while: a call to it must not wait for
 * a list each time. Until it can be listed again the tools are those of the last list known, if
 * need be from before this process.
 */
final class ServerTools {
  private static final System.Logger LOG = System.getLogger(ServerTools.class.getName());

  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final long LEFT_ALONE_NANOS = Duration.ofSeconds(15).toNanos();

  /**
   * A tool and its compiled schema.
   *
   * @param json as the server lists it
   * @param shown as a client sees it: without the argument that carries a key of ours
   * @param effect what it does, and where that came from
   * @param bounds how its calls are bounded
   */
  record Tool(
      String name,
      Json json,
      Json shown,
      InputSchema schema,
      Effects.Decided effect,
      ToolConfig bounds) {}

  /**
   * What is known.
   *
   * @param listedAt when the tools were listed; null while they never were
   */
  private record State(
      Map<String, Tool> tools,
      @Nullable Instant listedAt,
      boolean current,
      @Nullable RpcError failure,
      long triedAt) {}

  private final ServerConfig config;
  private final UpstreamServer server;
  private final Entrance entrance;
  private final KnownTools known;
  private final InstantSource clock;
  private final ReentrantLock listing = new ReentrantLock();
  private final Map<Json, InputSchema> schemas = new ConcurrentHashMap<>();
  private final AtomicInteger changes = new AtomicInteger();
  private volatile @Nullable Profile profile;
  private volatile State state =
      new State(Map.of(), null, false, null, System.nanoTime() - LEFT_ALONE_NANOS);

  /**
   * The tools of a server.
   *
   * @param entrance what all requests to it go through
   * @param known what is remembered of its tools beyond this process
   */
  ServerTools(
      ServerConfig config,
      UpstreamServer server,
      Entrance entrance,
      KnownTools known,
      InstantSource clock) {
    this.config = config;
    this.server = server;
    this.entrance = entrance;
    this.known = known;
    this.clock = clock;
    this.profile = config.profileFor(null, null).orElse(null);
  }

  /** What is known of the server beside what the configuration says; null where nothing is. */
  @Nullable Profile profile() {
    return profile;
  }

  /** Learns who the server is, by its own name and version. */
  private void introduce(Exchange.Caller caller) {
    if (introduction(caller) instanceof Reply.Answered<Introduction>(Introduction known)) {
      Json info = known.serverInfo();
      profile = config.profileFor(info.textAt("name"), info.textAt("version")).orElse(null);
    }
  }

  /**
   * How the server introduces itself. Where it is connected it is not asked, so this does not wait
   * in line; but a server that refuses our credentials is not asked for a connection again and
   * again.
   */
  Reply<Introduction> introduction(Exchange.Caller caller) {
    if (entrance.refusesCredentials()) {
      return Reply.failed(new Failure.NotSent("its server refuses the gateway's credentials"));
    }
    Live live = new Live(Live.Asker.NOBODY, caller, config.maxResultBytes(), Map.of());
    Reply<Introduction> reply = server.introduction(live);
    if (reply instanceof Reply.Failed<Introduction>(Failure failure, _)) {
      entrance.heard(failure);
    }
    return reply;
  }

  ServerConfig config() {
    return config;
  }

  /** How a tool of this name is bounded. */
  ToolConfig bounds(String tool) {
    Tool listed = state.tools().get(tool);
    return listed == null ? config.tool(tool, profile) : listed.bounds();
  }

  UpstreamServer server() {
    return server;
  }

  /** What all requests to the server go through. */
  Entrance entrance() {
    return entrance;
  }

  /** Where the calls of a tool come in. */
  Doorway doorway(String tool) {
    return doorway(tool, bounds(tool));
  }

  /** Where the calls of a tool come in that is bounded so. */
  Doorway doorway(String tool, ToolConfig bounds) {
    return (waiting, timeout) -> entrance.gate(Gates.place(tool, bounds), timeout, waiting);
  }

  /** Where everything else comes in. */
  Doorway doorway() {
    return (waiting, timeout) -> entrance.gate(Gates.place(config), timeout, waiting);
  }

  /** The server said that its tools changed. */
  void changed() {
    changes.incrementAndGet();
    State now = state;
    state =
        new State(
            now.tools(),
            now.listedAt(),
            false,
            now.failure(),
            System.nanoTime() - LEFT_ALONE_NANOS);
  }

  /** The tools as they are now: listed afresh, or the last known where that fails. */
  Map<String, Tool> fresh(Exchange.Caller caller) {
    list(true, caller);
    return state.tools();
  }

  /** The tools as they were listed last; listed now if they never were. */
  Map<String, Tool> known(Exchange.Caller caller) {
    if (!state.current()) {
      list(false, caller);
    }
    return state.tools();
  }

  /** Whether nobody has tried to list the tools since the program began. */
  boolean neverTried() {
    return !state.current() && state.failure() == null && state.tools().isEmpty();
  }

  /** Why the tools could not be listed when that was last tried; null when they could. */
  @Nullable RpcError failure() {
    return state.failure();
  }

  /** When the tools were listed, where they could not be since; null where they are current. */
  @Nullable Instant staleSince() {
    State now = state;
    return now.failure() == null || now.tools().isEmpty() ? null : now.listedAt();
  }

  /** A tool by its name; null when there is none, or the tools can't be listed. */
  @Nullable Tool tool(String name, Exchange.Caller caller) {
    return known(caller).get(name);
  }

  /**
   * Whether a tool may destroy something: a write does, unless its server says otherwise and is
   * believed (MCP, tool annotations: {@code destructiveHint}, true where it is missing).
   */
  boolean mayDestroy(String name, Effect effect) {
    Json listed = lastListed(name);
    Json hint = listed == null ? null : listed.at("annotations", "destructiveHint");
    boolean harmless =
        hint != null && hint.equals(Json.FALSE) && config.annotations() == Annotations.BELIEVED;
    return effect == Effect.WRITE && !harmless;
  }

  /** A tool as it was listed last; null where it was not. Never asks the server. */
  @Nullable Json lastListed(String name) {
    Tool tool = state.tools().get(name);
    return tool == null ? null : tool.json();
  }

  /** A tool by its name, listed afresh. */
  @Nullable Tool freshTool(String name, Exchange.Caller caller) {
    return fresh(caller).get(name);
  }

  /** What a tool does, by the configuration, its listing and its name. */
  Effects.Decided effect(String name, @Nullable Json listed) {
    Effects.Decided effect =
        Effects.of(name, config.tool(name, profile), config.annotations(), listed);
    if (effect.source() == EffectSource.NAME) {
      LOG.log(
          System.Logger.Level.WARNING,
          "server={0} tool={1} effect=write annotation=read_only: its name says otherwise",
          config.name(),
          name);
    }
    return effect;
  }

  private Tool tool(String name, Json item) {
    Effects.Decided effect = effect(name, item);
    ToolConfig bounds = config.tool(name, profile);
    Json shown =
        Optional.of(bounds.recognise())
            .filter(_ -> effect.effect() == Effect.WRITE)
            .flatMap(Carried::hidden)
            .map(argument -> without(item, argument))
            .orElse(item);
    return new Tool(
        name, item, shown, schemas.computeIfAbsent(item, InputSchema::of), effect, bounds);
  }

  /** The tool as its server lists it, but for one argument of its schema. */
  private static Json without(Json item, String argument) {
    JsonObject tool = item.asObject().orElseThrow();
    JsonObject schema = tool.object("inputSchema");
    JsonObject properties = schema.object("properties");
    if (properties.get(argument) == null) {
      return item;
    }
    JsonObject shown = schema.with("properties", properties.without(argument));
    Json required = schema.get("required");
    if (required != null && required.isArray()) {
      List<Json> others =
          required.elements().stream().filter(name -> !name.equals(Json.text(argument))).toList();
      shown = shown.with("required", Json.array(others));
    }
    return tool.with("inputSchema", shown).toJson();
  }

  /** Over HTTP a tool whose header annotations are invalid must not be shown (MCP 2026-07-28). */
  private boolean usable(String name, Json item) {
    String complaint =
        config.transport() instanceof ServerConfig.Http
            ? schemas.computeIfAbsent(item, InputSchema::of).mirrored().complaint()
            : null;
    if (complaint != null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "server={0} tool={1} shown=no {2}",
          config.name(),
          name,
          complaint);
    }
    return complaint == null;
  }

  private void list(boolean always, Exchange.Caller caller) {
    long asked = System.nanoTime();
    listing.lock();
    try {
      State before = state;
      // Somebody has listed while this one waited, or tried and failed a moment ago.
      boolean tried = before.triedAt() - asked >= 0;
      boolean leftAlone = before.failure() != null && asked - before.triedAt() < LEFT_ALONE_NANOS;
      if (tried || (!always && (before.current() || leftAlone))) {
        return;
      }
      int changesBefore = changes.get();
      switch (Listings.all(server, doorway(), "tools/list", "tools", TIMEOUT, caller)) {
        case Listings.Listing.Failed(RpcError error) -> failed(before, error);
        case Listings.Listing.Items(var items) -> {
          introduce(caller);
          Map<String, Tool> tools = read(items);
          schemas.keySet().retainAll(tools.values().stream().map(Tool::json).toList());
          boolean current = changes.get() == changesBefore;
          Instant now = clock.instant();
          state = new State(tools, now, current, null, System.nanoTime());
          known.listed(tools.keySet(), items, now);
        }
      }
    } finally {
      listing.unlock();
    }
  }

  /** The tools stay as they were last known. */
  private void failed(State before, RpcError error) {
    State last = before;
    if (before.listedAt() == null) {
      last =
          known
              .last()
              .map(it -> new State(read(it.tools()), it.at(), false, error, before.triedAt()))
              .orElse(before);
    }
    state = new State(last.tools(), last.listedAt(), false, error, System.nanoTime());
  }

  private Map<String, Tool> read(List<Json> items) {
    Map<String, Tool> tools = new LinkedHashMap<>();
    for (Json item : items) {
      String name = item.textAt("name");
      if (name != null && usable(name, item)) {
        tools.putIfAbsent(name, tool(name, item));
      }
    }
    return tools;
  }
}
