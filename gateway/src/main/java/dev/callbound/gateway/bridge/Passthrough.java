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
import java.util.function.Consumer;
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

  /** One request on its way: who asks, who can be asked back, and what ends it. */
  private record Inquiry(
      String method, Session session, Questions questions, Cancellation cancellation) {}

  /** Handles the request on this thread, to its end. */
  void handle(Talk talk, Session session) {
    Cancellation cancellation = new Cancellation();
    Consumer<Talk> follow =
        waiting -> {
          Runnable cancel = () -> cancellation.cancel(Failure.Cancelled.By.CLIENT);
          session.cancellable(waiting.request().id(), cancel);
          waiting.whenLeft(cancel);
        };
    follow.accept(talk);
    Questions questions =
        new Questions(session, talk, parked, follow, Questions.Undeclared.PASSED_ON);
    Inquiry inquiry = new Inquiry(talk.request().method(), session, questions, cancellation);
    cancellation.begin();
    try {
      PlainRequest.Answer answer =
          answer(
              catalog.at(session.greeting().server()),
              ToolRequest.withoutOurs(talk.request().params()),
              inquiry);
      switch (answer) {
        case PlainRequest.Answer.Result(Json result) ->
            questions
                .talk()
                .answer(Translation.forClient(session.revision(), inquiry.method(), result));
        case PlainRequest.Answer.Failed(RpcError error) -> questions.talk().fail(error);
      }
    } finally {
      cancellation.end();
      session.over(questions.talk().request().id());
    }
  }

  private PlainRequest.Answer answer(
      List<ServerTools> servers, JsonObject params, Inquiry inquiry) {
    String member = LISTS.get(inquiry.method());
    if (member != null && servers.size() > 1) {
      return new PlainRequest.Answer.Result(joined(servers, member, inquiry));
    }
    return switch (inquiry.method()) {
      case "logging/setLevel" -> setLevel(servers, params, inquiry.session());
      case "resources/subscribe" -> subscribe(servers, params, inquiry);
      case "resources/unsubscribe" -> unsubscribe(servers, params, inquiry);
      case "resources/read" -> resource(servers, params, inquiry);
      case "prompts/get" -> prompt(servers, params, inquiry);
      case "completion/complete" -> completion(servers, params, inquiry);
      default -> send(servers.getFirst(), params, inquiry);
    };
  }

  private PlainRequest.Answer subscribe(
      List<ServerTools> servers, JsonObject params, Inquiry inquiry) {
    String uri = params.text("uri");
    if (uri != null) {
      hub.subscribe(inquiry.session(), uri);
    }
    return resource(servers, params, inquiry);
  }

  /** A server hears that a resource is no longer wanted when the last who wanted it says so. */
  private PlainRequest.Answer unsubscribe(
      List<ServerTools> servers, JsonObject params, Inquiry inquiry) {
    String uri = params.text("uri");
    if (uri != null) {
      hub.unsubscribe(inquiry.session(), uri);
      if (hub.wanted(uri)) {
        return new PlainRequest.Answer.Result(JsonObject.EMPTY.toJson());
      }
    }
    return resource(servers, params, inquiry);
  }

  /** Subscribes at the owners of resources that a stream asks about. */
  void subscribe(Set<String> uris, Session session) {
    List<ServerTools> servers = catalog.at(session.greeting().server());
    for (String uri : uris) {
      for (ServerTools server : candidates(servers, uri)) {
        PlainRequest.Answer answer =
            PlainRequest.unattended(
                    server.server(),
                    server.doorway(),
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

  private PlainRequest.Answer send(ServerTools server, JsonObject params, Inquiry inquiry) {
    return PlainRequest.attended(
            server,
            inquiry.method(),
            params,
            TIMEOUT,
            inquiry.session().caller(),
            inquiry.questions(),
            inquiry.cancellation())
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
                  server.doorway(),
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

  private Json joined(List<ServerTools> servers, String member, Inquiry inquiry) {
    List<Json> all = new ArrayList<>();
    for (ServerTools server : servers) {
      if (Listings.all(
              server.server(),
              server.doorway(),
              inquiry.method(),
              member,
              LIST_TIMEOUT,
              inquiry.session().caller())
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
        if (Listings.all(
                server.server(),
                server.doorway(),
                "prompts/list",
                "prompts",
                LIST_TIMEOUT,
                session.caller())
            instanceof Listings.Listing.Items(List<Json> items)) {
          remember(server, "prompts", items);
        }
      }
      meaning = promptNames.meaning(name);
    }
    return meaning instanceof ToolNames.Meaning.Tool tool ? Optional.of(tool) : Optional.empty();
  }

  private PlainRequest.Answer prompt(
      List<ServerTools> servers, JsonObject params, Inquiry inquiry) {
    if (servers.size() == 1) {
      return send(servers.getFirst(), params, inquiry);
    }
    String name = params.text("name");
    return promptMeant(name, inquiry.session())
        .map(
            meant ->
                send(owner(meant.server()), params.with("name", Json.text(meant.tool())), inquiry))
        .orElseGet(() -> error(RpcError.INVALID_PARAMS, "Unknown prompt: " + name));
  }

  private PlainRequest.Answer completion(
      List<ServerTools> servers, JsonObject params, Inquiry inquiry) {
    if (servers.size() == 1) {
      return send(servers.getFirst(), params, inquiry);
    }
    JsonObject reference = params.object("ref");
    Optional<ToolNames.Meaning.Tool> prompt =
        promptMeant(reference.text("name"), inquiry.session());
    if (prompt.isPresent()) {
      JsonObject theirs = reference.with("name", Json.text(prompt.get().tool()));
      return send(owner(prompt.get().server()), params.with("ref", theirs.toJson()), inquiry);
    }
    return firstThatKnows(servers, params, inquiry);
  }

  private PlainRequest.Answer resource(
      List<ServerTools> servers, JsonObject params, Inquiry inquiry) {
    String uri = params.text("uri");
    return firstThatKnows(uri == null ? servers : candidates(servers, uri), params, inquiry);
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
      List<ServerTools> servers, JsonObject params, Inquiry inquiry) {
    PlainRequest.Answer last =
        error(RpcError.INVALID_PARAMS, "no server knows what this request names");
    for (ServerTools server : servers) {
      last = send(server, params, inquiry);
      if (last instanceof PlainRequest.Answer.Result || inquiry.cancellation().by() != null) {
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
