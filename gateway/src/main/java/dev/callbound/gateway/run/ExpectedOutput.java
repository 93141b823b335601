package dev.callbound.gateway.run;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Something that a run is there to bring about, written as {@code KIND:WHAT}. */
public sealed interface ExpectedOutput {
  /** The most that one run may be expected to bring about. */
  int MOST = 20;

  /** The longest text that one is written as. */
  int LONGEST = 1_000;

  /** A call of a tool that ends ok within the run: {@code tool:SERVER/TOOL}. */
  record Tool(String server, String tool) implements ExpectedOutput {}

  /** A file that is there and was changed after the run began: {@code file:/PATH}. */
  record File(Path path) implements ExpectedOutput {}

  /** A URL that is answered with a 2xx: {@code url:http://HOST/PATH}. */
  record Url(URI url) implements ExpectedOutput {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none; the message says what would be right
   */
  static ExpectedOutput parse(String text) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? "" : text.substring(0, colon);
    String what = text.substring(colon + 1);
    if (text.length() > LONGEST || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "an expected output has %d characters at most, and no line breaks".formatted(LONGEST));
    }
    return switch (kind) {
      case "tool" -> tool(what);
      case "file" -> file(what);
      case "url" -> url(what);
      default ->
          throw new IllegalArgumentException(
              "an expected output is tool:SERVER/TOOL, file:/PATH or url:URL, not " + text);
    };
  }

  private static Tool tool(String what) {
    int slash = what.indexOf('/');
    if (slash < 1 || slash == what.length() - 1) {
      throw new IllegalArgumentException("a tool is expected as tool:SERVER/TOOL, not " + what);
    }
    return new Tool(what.substring(0, slash), what.substring(slash + 1));
  }

  private static File file(String what) {
    Path path;
    try {
      path = Path.of(what);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("no file can have this path: " + what, e);
    }
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("a file is expected by its whole path, not " + what);
    }
    return new File(path.normalize());
  }

  private static Url url(String what) {
    try {
      URI url = new URI(what);
      boolean http =
          "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
      if (http && url.getHost() != null && url.getRawUserInfo() == null) {
        return new Url(url);
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + what, e);
    }
    throw new IllegalArgumentException(
        "a URL is expected as url:http://HOST/PATH, without a user, not " + what);
  }
}
