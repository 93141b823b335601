package dev.callbound.gateway.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One file of the config: reads it within limits, and says where in it something is wrong.
 *
 * @param path as it was given, which is how errors name it
 * @param known its text, where it doesn't lie on a disk; null means that it does
 */
record SourceFile(Path path, @Nullable String known) {
  /** No config is longer; a file that is was named by mistake. */
  static final int MOST_BYTES = 1 << 20;

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder().maxNestingDepth(40).maxNameLength(1_000).build();

  private static final JsonFactory YAML =
      YAMLFactory.builder().streamReadConstraints(LIMITS).build();

  /** Comments and trailing commas as well: some programs write them into their JSON. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(LIMITS)
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  /** A file on a disk. */
  SourceFile(Path path) {
    this(path, null);
  }

  /** The file's folder, to which its relative paths refer. */
  Path folder() {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path.toAbsolutePath() : parent;
  }

  ConfigProblem problem(int line, String keyPath, String wrong, String right) {
    return new ConfigProblem(path.toString(), line, keyPath, wrong, right);
  }

  /** The mapping that a YAML file holds; null if it can't be read, which is reported. */
  Node.@Nullable Mapping yaml(Problems problems) {
    return mapping(YAML, problems, "YAML");
  }

  /** The mapping that a JSON file holds; null if it can't be read, which is reported. */
  Node.@Nullable Mapping json(Problems problems) {
    return mapping(JSON, problems, "JSON");
  }

  private Node.@Nullable Mapping mapping(JsonFactory factory, Problems problems, String language) {
    String text = text(problems);
    if (text == null) {
      return null;
    }
    try (JsonParser parser = factory.createParser(text)) {
      Node root = TreeReader.read(parser, this, problems);
      if (root instanceof Node.Mapping mapping) {
        return mapping;
      }
      if (root == null || root.equals(Node.Scalar.nothing(root.line()))) {
        problems.add(problem(0, "", "is empty", "name at least one server in it"));
      } else {
        problems.add(
            problem(
                root.line(), "", "holds " + root.kind(), "write keys and values, as in servers:"));
      }
    } catch (TreeReader.LimitException limit) {
      problems.add(limit.problem(this));
    } catch (JsonProcessingException malformed) {
      problems.add(malformed(malformed, language));
    } catch (IOException impossible) {
      throw new IllegalStateException("reading from memory failed", impossible);
    }
    return null;
  }

  private ConfigProblem malformed(JsonProcessingException malformed, String language) {
    JsonLocation location = malformed.getLocation();
    int line = location == null ? 0 : Math.max(0, location.getLineNr());
    String column = location == null ? "" : " at column " + location.getColumnNr();
    // The indented lines quote the file, which may hold a secret.
    String reason =
        malformed
            .getOriginalMessage()
            .lines()
            .filter(text -> !text.isEmpty() && !Character.isWhitespace(text.charAt(0)))
            .collect(Collectors.joining(", "));
    return problem(
        line, "", "is not " + language + column + ": " + reason, "mend the file at that place");
  }

  private @Nullable String text(Problems problems) {
    if (known != null) {
      return known;
    }
    if (!Files.exists(path)) {
      problems.add(problem(0, "", "does not exist", "check the path"));
      return null;
    }
    if (Files.isDirectory(path)) {
      problems.add(problem(0, "", "is a folder", "name a file in it"));
      return null;
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    } catch (IOException unreadable) {
      problems.add(
          problem(
              0, "", "can't be read (" + unreadable.getMessage() + ")", "check who may read it"));
      return null;
    }
    if (bytes.length > MOST_BYTES) {
      problems.add(problem(0, "", "is larger than 1 MiB", "name a config file"));
      return null;
    }
    return decode(bytes, problems);
  }

  private @Nullable String decode(byte[] bytes, Problems problems) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException notUtf8) {
      // The decoder stops before the first byte that it can't read.
      int line = 1;
      for (int i = 0; i < buffer.position(); i++) {
        if (bytes[i] == '\n') {
          line++;
        }
      }
      problems.add(problem(line, "", "is not UTF-8", "save the file as UTF-8"));
      return null;
    }
  }
}
