package dev.callbound.gateway.profile;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Effect;
import java.time.LocalDate;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A first draft of a profile, from the tools that a server lists: complete enough to be loaded, and
 * with comments on what only a person can say. Pure.
 */
public final class Draft {
  /** What YAML reads as a text without quotes. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");

  /** Words that YAML, in one version or another, reads as something else. */
  private static final Pattern WORD =
      Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null", Pattern.CASE_INSENSITIVE);

  /** Arguments by whose names a tool may take a key. */
  private static final Pattern KEY =
      Pattern.compile(
          "(?i)(idempotency|idempotent|dedup|request|client|external|operation|message)[_-]?"
              + "(key|id|token|reference)");

  private Draft() {}

  /**
   * A tool that the server lists.
   *
   * @param effect what it is taken to do
   * @param why where that comes from, as in {@code annotations}
   */
  public record Tool(Json listed, Effect effect, String why) {}

  /**
   * The draft, as YAML.
   *
   * @param name {@code serverInfo.name}; null if the server gave none
   * @param version {@code serverInfo.version}; null if it gave none
   */
  public static String of(
      @Nullable String name, @Nullable String version, LocalDate today, Map<String, Tool> tools) {
    StringBuilder yaml = new StringBuilder();
    yaml.append(
        """
        # A draft. Look at every line before you trust it: docs/profiles.md says how.
        source: where the server's tools are published
        """);
    yaml.append("version: ").append(quoted(version == null ? "unknown" : version)).append('\n');
    yaml.append("checked: ").append(today).append('\n');
    if (name != null) {
      yaml.append("servers:\n  - {name: ").append(quoted(name)).append("}\n");
    }
    yaml.append(
        """
        # How its errors tell of a status of the provider behind it, if they do, as in:
        # statuses:
        #   - {text: 'HTTP ([45]\\d\\d)'}
        """);
    yaml.append(tools.isEmpty() ? "tools: {}\n" : "tools:\n");
    new TreeMap<>(tools).forEach((tool, found) -> tool(yaml, tool, found));
    return yaml.toString();
  }

  private static void tool(StringBuilder yaml, String name, Tool tool) {
    // Variables are never put into the names of keys, so this one needs no escape.
    yaml.append("  ").append(plain(name) ? name : Json.text(name)).append(":\n");
    boolean write = tool.effect() == Effect.WRITE;
    yaml.append("    effect: ").append(write ? "write" : "read");
    yaml.append(" # by ").append(tool.why()).append('\n');
    if (!write) {
      return;
    }
    Json properties = tool.listed().at("inputSchema", "properties");
    Map<String, Json> arguments =
        properties == null
            ? Map.of()
            : properties.asObject().map(object -> object.members()).orElse(Map.of());
    arguments.keySet().stream()
        .filter(argument -> KEY.matcher(argument).matches())
        .forEach(
            argument ->
                yaml.append("    # Does it remember ")
                    .append(oneLine(argument))
                    .append("? Then: recognise: {key: {argument: ")
                    .append(quoted(argument))
                    .append("}}\n"));
    yaml.append(
        """
            # Are the same arguments twice two things? Then: repeats: true
            # Could a read show that it was done? Then: recognise: {check: ...}
        """);
  }

  private static boolean plain(String name) {
    return PLAIN.matcher(name).matches() && !WORD.matcher(name).matches();
  }

  /** A comment ends at the end of its line, so nothing that a server says may hold one. */
  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  /** As JSON, which YAML is too; with no variable in it. */
  private static String quoted(String text) {
    return Json.text(text.replace("${", "$${")).toString();
  }
}
