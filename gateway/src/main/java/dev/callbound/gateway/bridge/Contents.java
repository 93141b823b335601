package dev.callbound.gateway.bridge;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.callbound.gateway.config.Recording;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.mcp.CanonicalJson;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.Replay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the record keeps of arguments and results: a digest, or all of it with what must not be seen
 * masked. Immutable.
 */
final class Contents {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final TextNode MASKED = TextNode.valueOf("***");

  private final Recording recording;
  private final Set<String> names;
  private final List<JsonPointer> pointers;

  /** What nobody but people will look at is free of all that are known by then. */
  private final Secrets known;

  /**
   * What is compared with what comes later, or sent again, is free of these alone: what is learned
   * on the way, such as a header that says {@code acme-corp}, must not make another of it.
   */
  private final Secrets configured;

  /**
   * What is kept for one tool.
   *
   * @param mask names of fields at any depth, in any case; JSON pointers where they begin with a
   *     slash
   */
  Contents(Recording recording, List<String> mask, Secrets secrets) {
    this.recording = recording;
    this.names =
        mask.stream()
            .filter(field -> !field.startsWith("/"))
            .map(field -> field.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    this.pointers =
        mask.stream().filter(field -> field.startsWith("/")).map(JsonPointer::compile).toList();
    this.known = secrets;
    this.configured = secrets.configured();
  }

  /**
   * The digest of arguments, the same for every spelling of them. A masked field leaves no trace in
   * it that could be guessed at.
   */
  String digestOfArguments(Json arguments) {
    return digest(
        CanonicalJson.of(Json.of(masked(arguments, configured))).getBytes(StandardCharsets.UTF_8));
  }

  /** The content as it came, where nothing in it is to be masked; null where something is. */
  @Nullable String whole(Json content) {
    Replay kept = replay(content);
    return kept.masked() ? null : kept.result();
  }

  /** A result as a repeat may be answered with it. */
  Replay replay(Json result) {
    String masked = masked(result, configured);
    return masked.equals(plain(result))
        ? new Replay(result.toString(), false)
        : new Replay(masked, true);
  }

  /** The digest of a result, as it came. */
  static String digestOfResult(Json result) {
    return digest(result.toBytes());
  }

  /** The content as it may be kept; null where only its digest is. */
  @Nullable String kept(Json content) {
    return recording == Recording.FULL ? masked(content, known) : null;
  }

  private static String plain(Json content) {
    try {
      return MAPPER.writeValueAsString(MAPPER.readTree(content.toBytes()));
    } catch (IOException e) {
      return "";
    }
  }

  private String masked(Json content, Secrets secrets) {
    try {
      JsonNode tree = MAPPER.readTree(content.toBytes());
      mask(tree);
      pointers.forEach(pointer -> mask(tree, pointer));
      return secrets.redact(MAPPER.writeValueAsString(tree));
    } catch (IOException e) {
      // A Json was checked when it was read; what the tree can't hold is not kept at all.
      return "\"(" + content.length() + " bytes that can't be shown)\"";
    }
  }

  private void mask(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        if (names.contains(field.getKey().toLowerCase(Locale.ROOT))) {
          field.setValue(MASKED);
        } else {
          mask(field.getValue());
        }
      }
    } else if (node instanceof ArrayNode array) {
      array.forEach(this::mask);
    }
  }

  private static void mask(JsonNode tree, JsonPointer pointer) {
    JsonNode parent = tree.at(pointer.head());
    String name = pointer.last().getMatchingProperty();
    if (parent instanceof ObjectNode object && object.has(name)) {
      object.set(name, MASKED);
    } else if (parent instanceof ArrayNode array
        && pointer.last().getMatchingIndex() >= 0
        && array.has(pointer.last().getMatchingIndex())) {
      array.set(pointer.last().getMatchingIndex(), MASKED);
    }
  }

  private static String digest(byte[] bytes) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
