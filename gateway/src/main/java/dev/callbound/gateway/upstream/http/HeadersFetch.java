package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.HeadersCommand;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.process.ShortCommand;
import dev.callbound.gateway.upstream.FailureText;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs the command that prints a server's headers. It inherits the whole environment, unlike a
 * server over stdio: what gets a token for us needs what says who we are. Immutable.
 */
final class HeadersFetch {
  /** How long the command may take. */
  static final Duration LIMIT = Duration.ofSeconds(10);

  private static final int MAX_BYTES = 65_536;

  /** What stands between texts, in JSON or not. */
  private static final Pattern BETWEEN_TEXTS = Pattern.compile("[\\s\"'{}\\[\\]:,\\\\]+");

  /** What is in no token, neither of RFC 9110, 5.6.2, nor of 11.2. */
  private static final Pattern BETWEEN_TOKENS = Pattern.compile("[^!#$%&'*+.^_`|~0-9A-Za-z/=-]+");

  private final HeadersCommand command;
  private final Map<String, String> variables;
  private final Duration limit;

  /**
   * @param server the server's name, which the command is told
   * @param url the server's URL, which it is told as well
   * @param limit how long it may take
   */
  HeadersFetch(HeadersCommand command, String server, URI url, Duration limit) {
    this.command = command;
    this.limit = limit;
    this.variables =
        Map.of(
            "CALLBOUND_SERVER",
            server,
            "CALLBOUND_SERVER_URL",
            url.toString(),
            // What was written for Claude Code looks for these.
            "CLAUDE_CODE_MCP_SERVER_NAME",
            server,
            "CLAUDE_CODE_MCP_SERVER_URL",
            url.toString());
  }

  /** What errors call the command: the key under which it stands. */
  String key() {
    return command.key();
  }

  /**
   * Runs the command once. Bounded, and nothing of it is left afterwards.
   *
   * @throws InterruptedException when the thread was interrupted; nothing is left either
   */
  PrintedHeaders fetch() throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command.command());
    builder.directory(command.folder().toFile());
    builder.environment().putAll(variables);
    try {
      return switch (ShortCommand.run(builder, limit, MAX_BYTES)) {
        case ShortCommand.End.Exited(int code, String output, String lastError) ->
            code == 0
                ? PrintedHeaders.of(output)
                : new PrintedHeaders.Wrong(
                    "ended with exit code " + code, without(output, lastError));
        case ShortCommand.End.TooMuch _ ->
            new PrintedHeaders.Wrong("printed more than " + (MAX_BYTES >> 10) + " KiB");
        case ShortCommand.End.CutOff(String output, String lastError) ->
            new PrintedHeaders.Wrong(
                "was still running after " + limit.toMillis() + " ms, and was ended",
                without(output, lastError));
      };
    } catch (IOException e) {
      return new PrintedHeaders.Wrong("could not be started: " + WireFailures.text(e));
    }
  }

  /**
   * What was said last, without any word that was printed, whether that was headers or not: a shell
   * that traces itself says on its standard error what it is about to print.
   */
  private static String without(String output, String lastError) {
    Secrets printed =
        Secrets.of(
            Stream.of(BETWEEN_TEXTS, BETWEEN_TOKENS)
                .flatMap(between -> between.splitAsStream(output))
                .toList());
    if (PrintedHeaders.of(output) instanceof PrintedHeaders.Fields(var fields)) {
      // In the output they may be written otherwise, with escapes.
      printed.learn("output", fields.values());
    }
    return FailureText.of(printed.redact(lastError));
  }
}
