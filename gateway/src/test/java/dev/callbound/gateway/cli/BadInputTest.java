package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.testkit.FaultServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people get wrong, and what {@code check} finds. */
class BadInputTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          servers: [oops                                              | callbound.yaml:
          servers: {a: {url: http://h/mcp, dead_line: 3s}}            | deadline
          servers: {a: {url: http://h/mcp, deadline: 3h}}             | 2h
          servers: {a: {url: 'http://h/${NOT_SET_ANYWHERE}'}}         | NOT_SET_ANYWHERE
          servers: {a: {url: http://h/mcp, deadline: soon}}           | soon
          servers: {}                                                 | no server
          """)
  void aConfigThatIsWrongIsNotServed(String yaml, String told) throws IOException {
    Invocation serve = serve(yaml);

    assertThat(serve.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(serve.out()).isEmpty();
    assertThat(serve.err()).startsWith("callbound: ").contains(told).doesNotContain("\tat ");
  }

  @Test
  void everyProblemHasALine() throws IOException {
    Invocation serve =
        serve("servers: {a: {url: http://h/mcp, dead_line: 3s, attempts: 0}}\nretires: 5\n");

    assertThat(serve.err().lines()).hasSize(4);
    assertThat(serve.err()).startsWith("callbound: 3 problems in the config:");
  }

  @Test
  void aConfigThatIsNotThereIsNamed() {
    Invocation serve = Invocation.of("serve", "--config", folder.resolve("no.yaml").toString());

    assertThat(serve.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(serve.err()).contains("no.yaml");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere", "127.0.0.1:99999", "0.0.0.0:7420"})
  void anAddressThatCanNotBeServedOnIsBadUsage(String address) throws IOException {
    Path config =
        Files.writeString(folder.resolve("callbound.yaml"), "servers: {a: {url: http://h/mcp}}");

    Invocation serve = Invocation.of("serve", "--config", config.toString(), "--listen", address);

    assertThat(serve.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(serve.err()).contains("--listen");
  }

  @Test
  void aCommandThatDoesNotExistGetsASuggestion() {
    Invocation wrong = Invocation.of("serv");

    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("callbound serve", "--help");
  }

  @Test
  void noCommandIsBadUsage() {
    assertThat(Invocation.of().exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"serve", "stdio", "check", "profile", "runs", "show", "unknown", "faults", "demo"})
  void everyCommandHelps(String command) {
    Invocation help = Invocation.of(command, "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("Usage: callbound " + command);
    assertThat(help.lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Style.WIDTH));
  }

  @Test
  void theVersionNamesTheJavaToo() {
    assertThat(Invocation.of("--version").out()).startsWith("callbound ").contains("Java ");
  }

  @Test
  void checkListsToolsWithTheirBounds() throws IOException {
    try (FaultServer faults = FaultServer.http().name("alpha").start()) {
      Invocation check =
          check(
              """
              servers:
                faults:
                  url: %s
                  tools: {write_ok: {deadline: 90s, attempts: 1, effect: read}}
              """
                  .formatted(faults.url()));

      assertThat(check.exitCode()).isZero();
      assertThat(check.out())
          .contains("it is        alpha 1.0.0, MCP ")
          .containsPattern("write_ok +read +config +1 m 30 s +tool +5 m +1 +none +built-in")
          .containsPattern("read_ok +read +annotations +1 m +built-in +5 m +3 +none")
          .containsPattern("write_slow +write +annotations")
          .contains("All is well: 1 server");
    }
  }

  @Test
  void checkFindsServersThatDoNotStartAndToolsThatAreNotThere() throws IOException {
    try (FaultServer faults = FaultServer.http().start()) {
      String yaml =
          """
          servers:
            gone: {command: no-such-program-anywhere, args: [--token, s3cret-token]}
            faults: {url: %s, tools: {write_okay: {attempts: 1}}}
          """
              .formatted(faults.url());

      Invocation check = check(yaml);
      JsonNode json = new ObjectMapper().readTree(check(yaml, "--json").out());

      assertThat(check.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(check.out())
          .contains("no-such-program-anywhere", "write_okay", "2 of 2 servers")
          .doesNotContain("s3cret-token");
      assertThat(json.at("/ok").asBoolean()).isFalse();
      assertThat(json.at("/servers/0/errors")).isNotEmpty();
    }
  }

  private Invocation serve(String yaml) throws IOException {
    return run("serve", yaml);
  }

  private Invocation check(String yaml, String... more) throws IOException {
    return run("check", yaml, more);
  }

  private Invocation run(String command, String yaml, String... more) throws IOException {
    Path config = Files.writeString(folder.resolve("callbound.yaml"), yaml);
    String[] arguments = new String[more.length + 3];
    arguments[0] = command;
    arguments[1] = "--config";
    arguments[2] = config.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Invocation.of(arguments);
  }
}
