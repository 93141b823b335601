package dev.callbound.gateway.profile;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is said of the tools of one server against the tools that it lists. What it finds can
 * never work, so it is an error wherever it was written, in a config or a profile. Pure.
 */
public final class Lint {
  private static final Pattern PLACE = Pattern.compile("\\{(/[^{}]*)}");

  private final Map<String, Known> tools;
  private final List<String> errors = new ArrayList<>();

  private Lint(Map<String, Known> tools) {
    this.tools = tools;
  }

  /**
   * A tool that the server has.
   *
   * @param listed as the server lists it
   * @param effect what it does, whoever says so
   * @param bounds what is said of it
   */
  public record Known(Json listed, Effect effect, ToolConfig bounds) {}

  /** What can't work, one sentence each with the tool's name; none if all can. */
  public static List<String> of(Map<String, Known> tools) {
    Lint lint = new Lint(tools);
    tools.forEach(lint::tool);
    return List.copyOf(lint.errors);
  }

  private void tool(String name, Known tool) {
    ToolSchema schema = ToolSchema.of(tool.listed());
    for (String argument : tool.bounds().target()) {
      missing(name, schema, argument, "its target names");
    }
    // A read is repeated anyway, whatever recognises it.
    if (tool.effect() == Effect.READ) {
      return;
    }
    switch (tool.bounds().recognise()) {
      case Recognise.Nothing _ -> {}
      case Recognise.ByKey(var carrier, String argument, _) -> {
        if (carrier == Recognise.Carrier.ARGUMENT) {
          key(name, schema, argument);
        }
      }
      case Recognise.ByCheck(var marker, var check) -> {
        if (marker != null) {
          marker(name, schema, marker);
        }
        check(name, schema, check);
      }
    }
  }

  private void key(String name, ToolSchema schema, String argument) {
    if (schema.lists(argument)) {
      if (!schema.takesText(argument)) {
        error(name, "its key argument " + argument + " is not a text in the tool's schema");
      }
    } else if (schema.isClosed()) {
      error(
          name,
          "its key argument "
              + argument
              + " is refused by the tool's schema, which takes no other arguments than it lists");
    }
  }

  private void marker(String name, ToolSchema schema, Recognise.Marker marker) {
    String argument = marker.argument();
    if (!schema.lists(argument)) {
      if (schema.isPlain()) {
        error(
            name, "its marker goes into " + argument + ", an argument that the tool does not have");
      }
    } else if (!schema.takesText(argument)) {
      error(
          name, "its marker goes into " + argument + ", which is not a text in the tool's schema");
    }
  }

  private void check(String name, ToolSchema schema, Recognise.Probe check) {
    Known asked = tools.get(check.tool());
    if (asked == null) {
      error(name, "its check asks " + check.tool() + ", a tool that the server does not have");
      return;
    }
    if (asked.effect() == Effect.WRITE) {
      error(
          name,
          "its check asks "
              + check.tool()
              + ", which writes; a check must only look, so it is"
              + " never asked");
    }
    ToolSchema question = ToolSchema.of(asked.listed());
    Map<String, Json> arguments = Json.of(check.arguments()).asObject().orElseThrow().members();
    arguments.forEach(
        (argument, value) -> {
          if (question.isPlain() && !question.lists(argument)) {
            error(
                name,
                "its check gives "
                    + argument
                    + " to "
                    + check.tool()
                    + ", which has no such"
                    + " argument");
          }
          templates(name, schema, value);
        });
    TreeSet<String> lacking = new TreeSet<>(question.required());
    lacking.removeAll(arguments.keySet());
    if (!lacking.isEmpty()) {
      error(name, "its check does not give " + check.tool() + " what it needs: " + lacking);
    }
    pages(name, question, check);
    Recognise.Found found = check.found();
    String equals = found == null ? null : found.equals();
    if (equals != null && equals.startsWith("/")) {
      missing(name, schema, equals, "its check compares with");
    }
  }

  private void pages(String name, ToolSchema question, Recognise.Probe check) {
    Recognise.@Nullable Pages pages = check.pages();
    if (pages != null && question.isPlain() && !question.lists(pages.argument())) {
      error(
          name,
          "its check asks for pages by "
              + pages.argument()
              + ", an argument that "
              + check.tool()
              + " does not have");
    }
  }

  private void templates(String name, ToolSchema schema, Json value) {
    value
        .asText()
        .ifPresent(
            text -> {
              Matcher place = PLACE.matcher(text);
              while (place.find()) {
                missing(name, schema, place.group(1), "its check asks with");
              }
            });
    value.elements().forEach(element -> templates(name, schema, element));
    value
        .asObject()
        .ifPresent(
            object -> object.members().values().forEach(inner -> templates(name, schema, inner)));
  }

  /** Reports a name or a pointer that leads to no argument of the tool. */
  private void missing(String name, ToolSchema schema, String argument, String what) {
    String first = argument.startsWith("/") ? argument.substring(1).split("/", 2)[0] : argument;
    String unescaped = first.replace("~1", "/").replace("~0", "~");
    if (schema.isPlain() && !schema.lists(unescaped)) {
      error(name, what + " " + argument + ", and the tool has no argument " + unescaped);
    }
  }

  private void error(String name, String wrong) {
    errors.add(name + ": " + wrong);
  }
}
