package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.gateway.config.CircuitConfig;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.HeadersCommand;
import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.policy.Circuit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What {@code check} found, for programs. */
final class CheckJson {
  private CheckJson() {}

  static ObjectNode of(Config config, List<Inspected> servers) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("ok", servers.stream().allMatch(server -> server.errors().isEmpty()));
    json.put("journal", config.journal().file().toString());
    json.put("run_deadline_ms", config.run().deadline().toMillis());
    json.put("run_retries", config.run().retries());
    RecordJson.money(json, "run_spend", config.run().spend());
    texts(json.putArray("warnings"), config.warnings());
    ArrayNode all = json.putArray("servers");
    servers.forEach(server -> all.add(server(server)));
    return json;
  }

  private static ObjectNode server(Inspected found) {
    ServerConfig server = found.server();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", server.name());
    switch (server.transport()) {
      case ServerConfig.Stdio _ -> json.put("transport", "stdio");
      case ServerConfig.Http _ -> json.put("transport", "http");
    }
    HeadersCommand command = CheckView.headersCommand(server);
    if (command != null) {
      json.put("headers_by", command.key());
    }
    if (server.crowd().atOnce() < Integer.MAX_VALUE) {
      json.put("at_once", server.crowd().atOnce());
      json.put("queue", server.crowd().queue());
    }
    Introduction introduction = found.introduction();
    if (introduction != null) {
      json.put("protocol", introduction.revision().date());
      json.put("server_name", introduction.serverInfo().textAt("name"));
      json.put("server_version", introduction.serverInfo().textAt("version"));
    }
    Profile profile = found.profile();
    if (profile != null) {
      json.putObject("profile")
          .put("name", profile.name())
          .put("version", profile.version())
          .put("checked", profile.checked().toString());
    }
    texts(json.putArray("errors"), found.errors());
    texts(json.putArray("warnings"), found.warnings());
    ArrayNode tools = json.putArray("tools");
    for (Inspected.Tool tool : found.tools()) {
      ObjectNode node = tools.addObject();
      node.put("name", tool.name())
          .put("effect", tool.effect().effect().name().toLowerCase(Locale.ROOT))
          .put("effect_from", tool.effect().source().code())
          .put("deadline_ms", tool.bounds().deadline().toMillis())
          .put("deadline_from", tool.bounds().from().deadline().code())
          .put("call_deadline_ms", tool.bounds().callDeadline().toMillis())
          .put("attempts", tool.bounds().attempts())
          .put("recognition", recognition(tool.bounds()))
          .put("recognition_from", tool.bounds().from().recognise().code())
          .put("recognised_by", CheckView.recognition(tool.bounds().recognise()))
          .put("repeats", tool.bounds().repeats())
          .put("detach_after_ms", detachAfter(tool.bounds()))
          .put("approve", tool.bounds().waiting().approve().toString())
          .put("approve_within_ms", tool.bounds().waiting().approveWithin().toMillis());
      RecordJson.money(node, "price", tool.bounds().price());
      circuit(node, tool.bounds().circuit());
    }
    return json;
  }

  /** Null where a client waits for as long as the call takes. */
  private static @Nullable Long detachAfter(ToolConfig bounds) {
    Duration patience = bounds.waiting().detachAfter();
    return patience == null ? null : patience.toMillis();
  }

  private static void circuit(ObjectNode tool, CircuitConfig circuit) {
    Circuit.Terms terms = circuit.terms();
    if (terms != null) {
      tool.putObject("circuit")
          .put("per", circuit.per().name().toLowerCase(Locale.ROOT))
          .put("failures", terms.failures())
          .put("window_ms", terms.window().toMillis())
          .put("cool_down_ms", terms.coolDown().toMillis());
    }
  }

  private static String recognition(ToolConfig bounds) {
    return bounds.recognise().kind().name().toLowerCase(Locale.ROOT);
  }

  private static void texts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }
}
