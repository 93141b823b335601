package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.HeadersCommand;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.process.ShortCommand;
import dev.callbound.gateway.upstream.FailureText;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs the command that prints a server's headers. It inherits the whole environment, unlike a
 * server over stdio: what gets a token for us needs what says who we are. Immutable.
 */
final class HeadersFetch {
  /** How long the command may take. */
  static final Duration LIMIT = Duration.ofSeconds(10);

  private static final int MAX_BYTES = 65_536;

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
                : wrong("ended with exit code " + code, without(output, lastError));
        case ShortCommand.End.TooMuch _ ->
            new PrintedHeaders.Wrong("printed more than " + (MAX_BYTES >> 10) + " KiB");
        case ShortCommand.End.CutOff(_, String lastError) ->
            wrong("was still running after " + limit.toMillis() + " ms, and was ended", lastError);
      };
    } catch (IOException e) {
      return new PrintedHeaders.Wrong("could not be started: " + WireFailures.text(e));
    }
  }

  private static PrintedHeaders wrong(String what, String lastError) {
    return new PrintedHeaders.Wrong(
        lastError.isEmpty()
            ? what
            : what + "; its last line on stderr: " + FailureText.of(lastError));
  }

  /** A shell that traces itself says on its standard error what it is about to print. */
  private static String without(String output, String lastError) {
    if (PrintedHeaders.of(output) instanceof PrintedHeaders.Fields(var fields)) {
      Secrets printed = Secrets.of(List.of());
      printed.learn("output", fields.values());
      return printed.redact(lastError);
    }
    return lastError;
  }
}
