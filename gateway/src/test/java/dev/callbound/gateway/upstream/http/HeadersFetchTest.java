package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.LogLines;
import dev.callbound.gateway.config.HeadersCommand;
import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a command prints, how it is told what for, and what is said when it fails. */
@Timeout(60)
class HeadersFetchTest extends CredentialsFixture {
  @Test
  void withoutHeadersNothingIsSent() throws Exception {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "exit 3", "headers_command ended with exit code 3",
                "echo token", "headers_command printed no JSON",
                "echo '[]'", "headers_command printed JSON that is no object",
                "echo '{\"A b\": \"c\"}'", "a member whose name can't be a header's",
                "echo '{\"A\": 1}'", "a value for A that is no text",
                "printf '{\"A\": \"b\\\\nC: d\"}'", "a value for A with a line break",
                "head -c 70000 /dev/zero", "headers_command printed more than 64 KiB")
            .entrySet()) {
      command.does(wrong.getKey());
      RecordingExchange exchange = new RecordingExchange();
      try (StreamableHttpServer other = server(Protocol.V2025_11_25, AMPLE)) {
        assertThat(Faults.failure(Faults.call(other, "read", "{}", exchange)))
            .as(wrong.getKey())
            .isInstanceOfSatisfying(
                Failure.NotSent.class,
                failure -> assertThat(failure.detail()).contains(wrong.getValue()));
      }
      assertThat(exchange.events()).isEmpty();
    }
    assertThat(http.seen).isEmpty();
  }

  @Test
  void whatIsNoNameIsNotNamed() throws Exception {
    command.does("echo '{\"Authorization: Bearer s3cr3t-token\": \"\"}'");

    assertThat(Faults.failure(call("read")).detail())
        .isEqualTo("headers_command printed a member whose name can't be a header's");
  }

  @Test
  void whatItSaysOnStandardErrorIsInTheLogAloneAndWithoutWhatItPrints() throws Exception {
    String leaks = "printf 's3cr3t-token, no JSON'; echo '+ printf s3cr3t-token, by me' >&2; ";
    HeadersFetch cut =
        new HeadersFetch(command.configured(), "crm", http.url(), Duration.ofMillis(500));
    try (LogLines log = LogLines.of(Credentials.class)) {
      command.does(leaks + "exit 7");
      assertThat(Faults.failure(call("read")).detail())
          .isEqualTo("headers_command ended with exit code 7; the log has its last words");

      command.does(leaks + "while :; do sleep 1; done");
      try (Credentials credentials = new Credentials("crm", cut, secrets)) {
        assertThat(credentials.current())
            .isEqualTo(
                Reply.failed(
                    new Failure.NotSent(
                        "headers_command was still running after 500 ms, and was ended;"
                            + " the log has its last words")));
      }

      assertThat(log.troubles()).hasSize(2);
      assertThat(log.troubles())
          .allSatisfy(
              line ->
                  assertThat(line)
                      .contains("credentials=not_fetched", "its last words: + printf ***, by me")
                      .doesNotContain("s3cr3t"));
    }
  }

  @Test
  void aProgramThatIsNotThereIsNamed() throws Exception {
    ServerConfig.Http plain = Faults.transport(http.url());
    HeadersCommand missing =
        new HeadersCommand("headers_command", List.of("no-such-program", "s3cr3t"), folder);
    try (StreamableHttpServer other =
        Faults.connect(
            new ServerConfig.Http(
                plain.url(),
                Map.of(),
                missing,
                plain.addresses(),
                plain.connectTimeout(),
                plain.refusedStatuses()))) {
      assertThat(Faults.failure(Faults.call(other, "read", "{}", new RecordingExchange())).detail())
          .isEqualTo(
              "headers_command could not be started: no such program on the PATH: no-such-program");
    }
  }

  @Test
  void theProtocolsOwnHeadersAreLeftOut() throws Exception {
    command.does(
        "echo '{\"Authorization\": \"Bearer token-one\", \"Mcp-Session-Id\": \"mine\","
            + " \"Content-Type\": \"text/plain\"}'");

    Faults.ok(call("read"));

    assertThat(http.seen)
        .allSatisfy(
            seen -> {
              assertThat(seen.header("Mcp-Session-Id")).isNotEqualTo("mine");
              assertThat(seen.header("Content-Type")).isNotEqualTo("text/plain");
            });
  }

  @Test
  void theCommandKnowsWhoseHeadersItIsToPrint() throws Exception {
    command.does(
        "printf '{\"Authorization\": \"Bearer token-one\", \"X-Env\": \"%s %s %s %s %s\"}'"
            + " \"$CALLBOUND_SERVER\" \"$CALLBOUND_SERVER_URL\" \"$CLAUDE_CODE_MCP_SERVER_NAME\""
            + " \"$CLAUDE_CODE_MCP_SERVER_URL\" \"${PATH:+inherited}\"");

    Faults.ok(call("read"));

    assertThat(http.seen.getLast().header("X-Env"))
        .isEqualTo("faults %1$s faults %1$s inherited".formatted(http.url()));
  }

  @Test
  void aCommandThatHangsIsCutAtItsLimit() throws Exception {
    command.does("trap '' TERM; echo $$ > pid; while :; do sleep 1; done");
    HeadersFetch fetch =
        new HeadersFetch(command.configured(), "crm", http.url(), Duration.ofMillis(500));

    assertThat(fetch.fetch())
        .isEqualTo(new PrintedHeaders.Wrong("was still running after 500 ms, and was ended", ""));

    long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }
}
