package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.gateway.TokenCommand;
import dev.callbound.testkit.FaultServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check} and {@code profile} say of a server that there is. */
class ProfileCommandTest {
  @TempDir Path folder;

  private FaultServer faults;

  @BeforeEach
  void start() throws Exception {
    faults = FaultServer.http().name("alpha").start();
  }

  @AfterEach
  void stop() {
    faults.close();
  }

  @Test
  void draftIsAProfileThatCheckAccepts() throws IOException {
    Invocation draft = run("profile", "", "alpha");
    assertThat(draft.exitCode()).isZero();
    assertThat(draft.out())
        .contains("servers:\n  - {name: \"alpha\"}", "  read_ok:\n    effect: read");
    Files.writeString(folder.resolve("alpha.yaml"), draft.out());

    Invocation check = run("check", "profile: alpha.yaml");

    assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
    assertThat(check.out())
        .contains("profile      alpha.yaml, checked with 1.0.0 on ")
        .containsPattern("read_ok +read +profile ");
  }

  @Test
  void checkSaysWhereEachThingComesFrom() throws IOException {
    Files.writeString(
        folder.resolve("own.yaml"),
        """
        source: here
        version: 1
        checked: 2026-12-01
        tools:
          read_ok: {effect: read, deadline: 2m}
          write_ok: {effect: write, recognise: {key: {meta: example.com/key}}}
        """);
    String lines = "profile: own.yaml\ndeadline: 40s\ntools: {write_ok: {deadline: 50s}}";

    Invocation check = run("check", lines);
    JsonNode tool = tool(run("check", lines, "--json"), "write_ok");

    assertThat(check.out())
        .contains("; it does not know ")
        .containsPattern("read_ok +read +profile +40 s +server +\\S+ +\\S+ +3 +none +built-in")
        .containsPattern("write_ok +write +profile +50 s +tool ")
        .containsPattern("key, meta example.com/key +profile");
    assertThat(tool.path("effect_from").asText()).isEqualTo("profile");
    assertThat(tool.path("deadline_from").asText()).isEqualTo("tool");
    assertThat(tool.path("recognition").asText()).isEqualTo("key");
    assertThat(tool.path("recognition_from").asText()).isEqualTo("profile");
  }

  @Test
  void recognitionThatCanNotWorkIsAnError() throws IOException {
    Invocation check =
        run(
            "check",
            """
            tools:
              write_ok:
                recognise:
                  check: {tool: write_slow, found: {at: /a}}
              write_slow:
                recognise:
                  check: {tool: look, found: {at: /a}}
            """);

    assertThat(check.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(check.out())
        .contains(
            "write_ok: its check asks write_slow, which writes",
            "write_slow: its check asks look, a tool that the server does not have");
  }

  @Test
  void checkSaysThatACommandPrintsTheHeaders() throws IOException {
    TokenCommand.in(folder, "a-token");

    Invocation check = run("check", TokenCommand.entry());
    JsonNode server =
        new ObjectMapper()
            .readTree(run("check", TokenCommand.entry(), "--json").out())
            .at("/servers/0");

    assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
    assertThat(check.out()).containsPattern("headers +by headers_command, and again after a 401");
    assertThat(server.path("headers_by").asText()).isEqualTo("headers_command");
  }

  @Test
  void commandThatFailsIsAnErrorThatNamesIt() throws IOException {
    TokenCommand.in(folder, "a-token").does("echo 'not logged in' >&2; exit 4");

    Invocation check = run("check", TokenCommand.entry());

    assertThat(check.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(check.out().replaceAll("\\s+", " "))
        .contains(
            "could not be reached: headers_command ended with exit code 4; the log has its last"
                + " words");
  }

  @Test
  void serverThatIsNotInTheConfigIsNamed() throws IOException {
    Invocation draft = run("profile", "", "beta");

    assertThat(draft.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(draft.out()).isEmpty();
    assertThat(draft.err()).contains("no server is named beta; the config has alpha");
  }

  private static JsonNode tool(Invocation check, String name) throws IOException {
    for (JsonNode tool : new ObjectMapper().readTree(check.out()).at("/servers/0/tools")) {
      if (tool.path("name").asText().equals(name)) {
        return tool;
      }
    }
    throw new AssertionError("no tool " + name + " in " + check.out());
  }

  private Invocation run(String command, String lines, String... more) throws IOException {
    String yaml = "servers:\n  alpha:\n    url: %s\n".formatted(faults.url()) + lines.indent(4);
    Path config = Files.writeString(folder.resolve("callbound.yaml"), yaml);
    String[] arguments = new String[more.length + 3];
    arguments[0] = command;
    arguments[1] = "--config";
    arguments[2] = config.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Invocation.of(arguments);
  }
}
