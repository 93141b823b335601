package dev.callbound.gateway.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tree of one file from a parser's tokens. Every value keeps its text, so that {@code
 * 010} in an environment variable stays what it is, and its line.
 *
 * <p>A YAML alias stands for the value of its anchor. What the aliases expand to counts, so that a
 * few lines can't become millions of values.
 */
final class TreeReader {
  /** More values than this, aliases expanded, is not a config any more. */
  static final int MOST_VALUES = 20_000;

  private final JsonParser parser;
  private final SourceFile file;
  private final Problems problems;
  private final Map<String, Node> anchors = new HashMap<>();
  private final Map<String, Integer> sizes = new HashMap<>();
  private int values;

  private TreeReader(JsonParser parser, SourceFile file, Problems problems) {
    this.parser = parser;
    this.file = file;
    this.problems = problems;
  }

  /**
   * Reads the whole document. Keys that stand twice are reported; the first counts.
   *
   * @return null if there is nothing in the file
   * @throws IOException if the document is malformed
   * @throws LimitException if it holds too much
   */
  static @Nullable Node read(JsonParser parser, SourceFile file, Problems problems)
      throws IOException, LimitException {
    TreeReader reader = new TreeReader(parser, file, problems);
    if (parser.nextToken() == null) {
      return null;
    }
    Node root = reader.node("");
    if (parser.nextToken() != null) {
      throw new LimitException(reader.line(), "holds a second document", "keep one document");
    }
    return root;
  }

  private int line() {
    return Math.max(0, parser.currentTokenLocation().getLineNr());
  }

  private Node node(String path) throws IOException, LimitException {
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      return alias(yaml.getText());
    }
    Object anchor = parser.getObjectId();
    int before = values;
    count(1);
    JsonToken token = parser.currentToken();
    Node node =
        switch (token) {
          case START_OBJECT -> mapping(path);
          case START_ARRAY -> sequence(path);
          case VALUE_NULL -> Node.Scalar.nothing(line());
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
              new Node.Scalar(line(), parser.getText(), true);
          default -> new Node.Scalar(line(), nothingWritten() ? null : parser.getText(), false);
        };
    if (anchor instanceof String name) {
      anchors.put(name, node);
      sizes.put(name, values - before);
    }
    return node;
  }

  /** YAML's parser gives the same token for nothing and for {@code ""}, which has a width. */
  private boolean nothingWritten() throws IOException {
    return parser.getText().isEmpty()
        && parser.currentTokenLocation().getCharOffset()
            == parser.currentLocation().getCharOffset();
  }

  private Node alias(String name) throws LimitException {
    Node node = anchors.get(name);
    if (node == null) {
      throw new LimitException(
          line(), "alias *" + name + " has no anchor before it", "set &" + name + " on a value");
    }
    count(sizes.getOrDefault(name, 1));
    return node;
  }

  private void count(int more) throws LimitException {
    values += more;
    if (values > MOST_VALUES) {
      throw new LimitException(
          line(),
          "holds more than " + MOST_VALUES + " values, aliases expanded",
          "write less, or use fewer aliases");
    }
  }

  private Node sequence(String path) throws IOException, LimitException {
    int line = line();
    List<Node> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node(path + "[" + items.size() + "]"));
    }
    return new Node.Sequence(line, items);
  }

  private Node mapping(String path) throws IOException, LimitException {
    int line = line();
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      int keyLine = line();
      String keyPath = path.isEmpty() ? key : path + "." + key;
      parser.nextToken();
      Node.Entry entry = new Node.Entry(keyLine, node(keyPath));
      Node.Entry first = entries.putIfAbsent(key, entry);
      if (first != null) {
        problems.add(
            file.problem(
                keyLine,
                keyPath,
                "stands here for the second time, first on line " + first.line(),
                "keep one"));
      }
    }
    return new Node.Mapping(line, entries);
  }

  /** The document holds more, or other, than a config may. */
  static final class LimitException extends Exception {
    private final int line;
    private final String wrong;
    private final String right;

    LimitException(int line, String wrong, String right) {
      super(wrong + "; " + right);
      this.line = line;
      this.wrong = wrong;
      this.right = right;
    }

    ConfigProblem problem(SourceFile file) {
      return file.problem(line, "", wrong, right);
    }
  }
}
