package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Prefix;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.policy.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is no tool call: resources, prompts, completion, logging. Where an endpoint has
 * one server, requests go to it as they are; where it has several, lists are joined, and a request
 * goes to the server that owns what it names.
 */
final class Passthrough {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LIST_TIMEOUT = Duration.ofSeconds(15);

  private static final Map<String, String> LISTS =
      Map.of(
          "resources/list", "resources",
          "resources/templates/list", "resourceTemplates",
          "prompts/list", "prompts");

  private static final Set<String> OTHERS =
      Set.of(
          "resources/read",
          "resources/subscribe",
          "resources/unsubscribe",
          "prompts/get",
          "completion/complete",
          "logging/setLevel");

  private final Catalog catalog;
  private final Hub hub;
  private final Questions.Parked parked;
  private final ToolNames promptNames;
  private final Map<String, String> owners = new ConcurrentHashMap<>();

  Passthrough(Catalog catalog, Hub hub, Questions.Parked parked) {
    this.catalog = catalog;
    this.hub = hub;
    this.parked = parked;
    this.promptNames =
        new ToolNames(
            catalog.at(null).stream()
                .collect(
                    Collectors.toMap(
                        server -> server.config().name(),
                        server -> server.config().prefix(),
                        (a, b) -> a,
                        LinkedHashMap<String, Prefix>::new)),
            Map.of());
  }

  /** Whether the method is one that is handled here. */
  static boolean handles(String method) {
    return LISTS.containsKey(method) || OTHERS.contains(method);
  }

  /** Handles the request on this thread, to its end. */
  void handle(Talk talk, Session session) {
    Cancellation cancellation = new Cancellation();
    Runnable cancel = () -> cancellation.cancel(Failure.Cancelled.By.CLIENT);
    session.cancellable(talk.request().id(), cancel);
    talk.whenLeft(cancel);
    cancellation.begin();
    try {
      List<ServerTools> servers = catalog.at(session.greeting().server());
      switch (answer(servers, talk, session, cancellation)) {
        case PlainRequest.Answer.Result(Json result) ->
            talk.answer(Translation.forClient(session.revision(), talk.request().method(), result));
        case PlainRequest.Answer.Failed(RpcError error) -> talk.fail(error);
      }
    } finally {
      cancellation.end();
      session.over(talk.request().id());
    }
  }

  private PlainRequest.Answer answer(
      List<ServerTools> servers, Talk talk, Session session, Cancellation cancellation) {
    String method = talk.request().method();
    JsonObject params = ToolRequest.withoutOurs(talk.request().params());
    if (method.equals("logging/setLevel")) {
      return setLevel(servers, params, session);
    }
    note(session, method, params);
    if (servers.size() == 1) {
      return send(servers.getFirst(), params, talk, session, cancellation);
    }
    String member = LISTS.get(method);
    if (member != null) {
      return new PlainRequest.Answer.Result(joined(servers, method, member, session));
    }
    return switch (method) {
      case "prompts/get" -> prompt(params, talk, session, cancellation);
      case "completion/complete" -> completion(servers, params, talk, session, cancellation);
      default -> resource(servers, params, talk, session, cancellation);
    };
  }

  private void note(Session session, String method, JsonObject params) {
    String uri = params.text("uri");
    if (uri != null && method.equals("resources/subscribe")) {
      hub.subscribe(session, uri);
    } else if (uri != null && method.equals("resources/unsubscribe")) {
      hub.unsubscribe(session, uri);
    }
  }

  /** Subscribes at the owners of resources that a stream asks about. */
  void subscribe(Set<String> uris, Session session) {
    List<ServerTools> servers = catalog.at(session.greeting().server());
    for (String uri : uris) {
      for (ServerTools server : candidates(servers, uri)) {
        PlainRequest.Answer answer =
            PlainRequest.unattended(
                    server.server(),
                    "resources/subscribe",
                    JsonObject.of("uri", Json.text(uri)),
                    LIST_TIMEOUT,
                    server.config().maxResultBytes(),
                    session.caller())
                .make();
        if (answer instanceof PlainRequest.Answer.Result) {
          break;
        }
      }
    }
  }

  private PlainRequest.Answer send(
      ServerTools server,
      JsonObject params,
      Talk talk,
      Session session,
      Cancellation cancellation) {
    return new PlainRequest(
            server.server(),
            talk.request().method(),
            params,
            TIMEOUT,
            server.config().maxResultBytes(),
            session.caller(),
            new Questions(session, talk, parked, _ -> {}, Questions.Undeclared.PASSED_ON),
            cancellation)
        .make();
  }

  /** A level is a wish to every server that logs; one that can't be told so is no error. */
  private PlainRequest.Answer setLevel(
      List<ServerTools> servers, JsonObject params, Session session) {
    session.logLevel(params.get("level"));
    PlainRequest.Answer told = new PlainRequest.Answer.Result(JsonObject.EMPTY.toJson());
    for (ServerTools server : servers) {
      PlainRequest.Answer answer =
          PlainRequest.unattended(
                  server.server(),
                  "logging/setLevel",
                  params,
                  LIST_TIMEOUT,
                  server.config().maxResultBytes(),
                  session.caller())
              .make();
      boolean refused =
          answer instanceof PlainRequest.Answer.Failed(RpcError error)
              && error.code() == RpcError.INVALID_PARAMS;
      told = refused ? answer : told;
    }
    return told;
  }

  private Json joined(List<ServerTools> servers, String method, String member, Session session) {
    List<Json> all = new ArrayList<>();
    for (ServerTools server : servers) {
      if (Listings.all(server.server(), method, member, LIST_TIMEOUT, session.caller())
          instanceof Listings.Listing.Items(List<Json> items)) {
        remember(server, member, items);
        items.forEach(item -> all.add(member.equals("prompts") ? renamed(server, item) : item));
      }
    }
    JsonObject result = JsonObject.of(member, Json.array(all));
    return result.toJson();
  }

  private void remember(ServerTools server, String member, List<Json> items) {
    if (member.equals("prompts")) {
      promptNames.see(
          server.config().name(),
          items.stream().map(item -> item.textAt("name")).filter(name -> name != null).toList());
    } else if (member.equals("resources")) {
      for (Json item : items) {
        String uri = item.textAt("uri");
        if (uri != null) {
          owners.put(uri, server.config().name());
        }
      }
    }
  }

  private Json renamed(ServerTools server, Json prompt) {
    String name = prompt.textAt("name");
    return name == null
        ? prompt
        : prompt
            .asObject()
            .orElseThrow()
            .with("name", Json.text(promptNames.exposed(server.config().name(), name)))
            .toJson();
  }

  private Optional<ToolNames.Meaning.Tool> promptMeant(@Nullable String name, Session session) {
    if (name == null) {
      return Optional.empty();
    }
    ToolNames.Meaning meaning = promptNames.meaning(name);
    if (meaning instanceof ToolNames.Meaning.Nothing) {
      for (ServerTools server : catalog.at(null)) {
        if (Listings.all(server.server(), "prompts/list", "prompts", LIST_TIMEOUT, session.caller())
            instanceof Listings.Listing.Items(List<Json> items)) {
          remember(server, "prompts", items);
        }
      }
      meaning = promptNames.meaning(name);
    }
    return meaning instanceof ToolNames.Meaning.Tool tool ? Optional.of(tool) : Optional.empty();
  }

  private PlainRequest.Answer prompt(
      JsonObject params, Talk talk, Session session, Cancellation cancellation) {
    String name = params.text("name");
    return promptMeant(name, session)
        .map(
            meant ->
                send(
                    owner(meant.server()),
                    params.with("name", Json.text(meant.tool())),
                    talk,
                    session,
                    cancellation))
        .orElseGet(() -> error(RpcError.INVALID_PARAMS, "Unknown prompt: " + name));
  }

  private PlainRequest.Answer completion(
      List<ServerTools> servers,
      JsonObject params,
      Talk talk,
      Session session,
      Cancellation cancellation) {
    JsonObject reference = params.object("ref");
    Optional<ToolNames.Meaning.Tool> prompt = promptMeant(reference.text("name"), session);
    if (prompt.isPresent()) {
      JsonObject theirs = reference.with("name", Json.text(prompt.get().tool()));
      return send(
          owner(prompt.get().server()),
          params.with("ref", theirs.toJson()),
          talk,
          session,
          cancellation);
    }
    return firstThatKnows(servers, params, talk, session, cancellation);
  }

  private PlainRequest.Answer resource(
      List<ServerTools> servers,
      JsonObject params,
      Talk talk,
      Session session,
      Cancellation cancellation) {
    String uri = params.text("uri");
    return firstThatKnows(
        uri == null ? servers : candidates(servers, uri), params, talk, session, cancellation);
  }

  /** The server that listed a resource; all of them for one that nobody has listed. */
  private List<ServerTools> candidates(List<ServerTools> servers, String uri) {
    String owner = owners.get(uri);
    List<ServerTools> one =
        servers.stream().filter(server -> server.config().name().equals(owner)).toList();
    return one.isEmpty() ? servers : one;
  }

  /** Asks one server after the other: looking is harmless, and a template has no other owner. */
  private PlainRequest.Answer firstThatKnows(
      List<ServerTools> servers,
      JsonObject params,
      Talk talk,
      Session session,
      Cancellation cancellation) {
    PlainRequest.Answer last =
        error(RpcError.INVALID_PARAMS, "no server knows what this request names");
    for (ServerTools server : servers) {
      last = send(server, params, talk, session, cancellation);
      if (last instanceof PlainRequest.Answer.Result || cancellation.by() != null) {
        return last;
      }
    }
    return last;
  }

  private ServerTools owner(String server) {
    ServerTools owner = catalog.server(server);
    if (owner == null) {
      throw new IllegalStateException("a name stands for a configured server: " + server);
    }
    return owner;
  }

  private static PlainRequest.Answer error(int code, String message) {
    return new PlainRequest.Answer.Failed(RpcError.of(code, message));
  }
}
