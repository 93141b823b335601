package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.Tool.Hints;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All tools of one server, among them those that look at the server itself. */
final class Toolbox {
  private final Map<String, Tool> tools = new LinkedHashMap<>();
  private final EffectLedger ledger;
  private final FaultControl control;

  /**
   * @param switchToolset changes the set of tools and tells the clients
   */
  Toolbox(EffectLedger ledger, FaultControl control, int fillers, Consumer<String> switchToolset) {
    this.ledger = ledger;
    this.control = control;
    ReadTools.all().forEach(this::add);
    WriteTools.all().forEach(this::add);
    looks(switchToolset);
    scripts();
    fill(fillers);
  }

  /** The tool of this name; null if there is none. */
  @Nullable Tool find(String name) {
    return tools.get(name);
  }

  /** One page of the list, with the cursor that the control settings ask for. */
  ObjectNode page(JsonNode cursor) {
    List<ObjectNode> all = tools.values().stream().map(Tool::json).toList();
    FaultControl.State settings = control.state();
    int size = settings.pageSize() == 0 ? all.size() : settings.pageSize();
    int from = Math.clamp(cursor.asInt(0), 0, all.size());
    int to = Math.min(all.size(), from + size);
    ObjectNode page = object("tools", all.subList(from, to));
    if (settings.listLoop().equals("repeat")) {
      page.put("nextCursor", String.valueOf(from));
    } else if (to < all.size()) {
      page.put("nextCursor", String.valueOf(to));
    } else if (settings.listLoop().equals("empty")) {
      page.put("nextCursor", "");
    }
    return page;
  }

  private void looks(Consumer<String> switchToolset) {
    add(
        new Tool(
            "count_items",
            Hints.READ,
            "Counts items over a period.",
            object(),
            (a, n) -> List.of(count(a)),
            () -> List.of(period()),
            false));
    add(
        new Tool(
            "switch_toolset",
            Hints.READ,
            "Changes the tool list in mid-session.",
            object("to", Schema.oneOf("v1", "v2")),
            (a, n) -> {
              switchToolset.accept(a.text("to", "v2"));
              return List.of(Step.Reply.text(control.state().toolset()));
            }));
    add(
        new Tool(
            "find_by_marker",
            Hints.READ,
            "Finds effects by their marker.",
            object("lag_ms", Schema.integer()),
            (a, n) -> List.of(found(a.text("marker", ""), a.millis("lag_ms", 0)))));
    add(
        new Tool(
            "list_effects",
            Hints.READ,
            "Lists all effects.",
            object(),
            (a, n) -> List.of(value(object("effects", ledger.effects())))));
  }

  /** The tools whose scenario comes with the call. */
  private void scripts() {
    ObjectNode script =
        object(
            "behaviour", Schema.text(),
            "steps", object("type", "array"),
            "then", object("type", "array"),
            "times", Schema.integer());
    add(new Tool("inject_read", Hints.READ, "Any scenario, as a read.", script, this::script));
    add(new Tool("inject_write", Hints.WRITE, "Any scenario, as a write.", script, this::script));
  }

  private List<Step> script(ToolArguments arguments, int nth) {
    String behaviour = arguments.text("behaviour");
    if (behaviour != null) {
      Tool other = tools.get(behaviour);
      return other == null
          ? List.of(new Step.RpcError(-32602, "unknown behaviour " + behaviour, null))
          : other.plan().steps(arguments, nth);
    }
    return StepReader.list(arguments.json().path(arguments.strikes(nth, -1) ? "steps" : "then"));
  }

  private void fill(int count) {
    ObjectNode bulk = object();
    String longWinded = "A long-winded description of this parameter. ".repeat(6);
    for (int i = 0; i < 12; i++) {
      bulk.set("parameter_" + i, object("type", "string", "description", longWinded));
    }
    for (int i = 1; i <= count; i++) {
      add(
          new Tool(
              String.format("filler_%04d", i),
              Hints.READ,
              "One of very many tools. ".repeat(20),
              bulk,
              (a, n) -> List.of(Step.Reply.text("filler"))));
    }
  }

  private Step count(ToolArguments arguments) {
    String period = period();
    Set<String> extra = new TreeSet<>();
    arguments.json().fieldNames().forEachRemaining(extra::add);
    extra.remove(period);
    Schema.common().fieldNames().forEachRemaining(extra::remove);
    String given = arguments.text(period);
    if (given == null || !extra.isEmpty()) {
      return new Step.RpcError(
          -32602, "invalid params: want \"" + period + "\", got " + arguments.json(), null);
    }
    return value(object("items", 42, period, given));
  }

  private String period() {
    return control.state().toolset().equals("v2") ? "lookback" : "duration";
  }

  private Step found(String marker, Duration lag) {
    Instant latest = Instant.now().minus(lag);
    List<String> objects = new ArrayList<>();
    for (ObjectNode effect : ledger.withMarker(marker)) {
      if (!Instant.parse(effect.path("at").asText()).isAfter(latest)) {
        objects.add(effect.path("object").asText());
      }
    }
    return value(object("found", objects.size(), "objects", objects));
  }

  private static Step value(ObjectNode value) {
    return Step.Reply.of(Step.Content.value(value));
  }

  private void add(Tool tool) {
    tools.put(tool.name(), tool);
  }
}
