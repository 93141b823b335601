package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Annotations;
import dev.callbound.gateway.config.Origin;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.EffectSource;
import dev.callbound.policy.Effect;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a tool reads or writes: the configuration's word, else the profile's, else the
 * server's annotation, else it writes.
 *
 * <p>{@code readOnlyHint: true} is believed unless the server's annotations are ignored, or the
 * tool's own name plainly says otherwise. No other annotation counts: {@code idempotentHint} is a
 * hint, and a repeat is permitted by what recognises it, never by a hint.
 */
public final class Effects {
  /**
   * An effect and where it came from.
   *
   * @param source what decided
   */
  public record Decided(Effect effect, EffectSource source) {}

  /** Verbs that change something, as they begin the names of tools. */
  private static final Set<String> WRITES =
      Set.of(
          "add",
          "append",
          "apply",
          "approve",
          "archive",
          "assign",
          "charge",
          "commit",
          "create",
          "delete",
          "deploy",
          "destroy",
          "edit",
          "insert",
          "install",
          "invite",
          "merge",
          "modify",
          "move",
          "patch",
          "pay",
          "post",
          "publish",
          "purchase",
          "push",
          "put",
          "refund",
          "remove",
          "rename",
          "replace",
          "save",
          "send",
          "set",
          "submit",
          "transfer",
          "update",
          "upload",
          "upsert",
          "write");

  /** Verbs that only look; the first verb in a name decides, so get_post is no post. */
  private static final Set<String> READS =
      Set.of(
          "browse",
          "check",
          "compare",
          "count",
          "describe",
          "download",
          "explain",
          "export",
          "fetch",
          "find",
          "get",
          "inspect",
          "list",
          "lookup",
          "peek",
          "preview",
          "query",
          "read",
          "resolve",
          "retrieve",
          "search",
          "show",
          "status",
          "summarize",
          "validate",
          "view",
          "watch");

  private static final Pattern BETWEEN_WORDS =
      Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])");

  private Effects() {}

  /**
   * Decides for one tool.
   *
   * @param bounds what the configuration and the server's profile say
   * @param tool the tool as its server lists it; null when it could not be listed
   */
  public static Decided of(
      String name, ToolConfig bounds, Annotations annotations, @Nullable Json tool) {
    Effect said = bounds.effect();
    return said != null && bounds.from().effect() == Origin.PROFILE
        ? new Decided(said, EffectSource.PROFILE)
        : withoutProfile(name, said, annotations, tool);
  }

  /**
   * Decides for one tool whose server has no profile.
   *
   * @param configured what the configuration says; null when it says nothing
   * @param tool the tool as its server lists it; null when it could not be listed
   */
  static Decided withoutProfile(
      String name, @Nullable Effect configured, Annotations annotations, @Nullable Json tool) {
    if (configured != null) {
      return new Decided(configured, EffectSource.CONFIG);
    }
    Json hint = tool == null ? null : tool.at("annotations", "readOnlyHint");
    if (annotations == Annotations.IGNORED || hint == null) {
      return new Decided(Effect.WRITE, EffectSource.DEFAULT);
    }
    if (!hint.isTrue()) {
      return new Decided(Effect.WRITE, EffectSource.ANNOTATIONS);
    }
    return saysWrite(name)
        ? new Decided(Effect.WRITE, EffectSource.NAME)
        : new Decided(Effect.READ, EffectSource.ANNOTATIONS);
  }

  private static boolean saysWrite(String name) {
    List<String> words =
        Arrays.stream(BETWEEN_WORDS.split(name))
            .map(word -> word.toLowerCase(Locale.ROOT))
            .toList();
    Optional<String> verb =
        words.stream().filter(word -> WRITES.contains(word) || READS.contains(word)).findFirst();
    return verb.filter(WRITES::contains).isPresent();
  }
}
