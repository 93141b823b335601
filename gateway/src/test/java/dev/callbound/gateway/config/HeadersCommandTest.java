package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersCommandTest {
  @TempDir Path folder;

  @Test
  void commandRunsInTheFolderOfItsFile() {
    Config config =
        files()
            .with("VAULT", "s3cr3t-path")
            .yaml(
                "servers:",
                "  crm:",
                "    url: https://crm.example/mcp",
                "    headers: {X-Team: blue}",
                "    headers_command: [./token.sh, '${VAULT}', --crm]")
            .load();

    ServerConfig.Http http = http(config, "crm");
    assertThat(http.headersCommand())
        .isEqualTo(
            new HeadersCommand(
                "headers_command", List.of("./token.sh", "s3cr3t-path", "--crm"), folder));
    assertThat(http.headers()).containsOnlyKeys("X-Team");
    assertThat(config.toString()).doesNotContain("s3cr3t-path").contains("headers_command");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void helperOfAnotherProgramIsALineForTheShellAndItsVariablesAreTheShells() {
    String line = "get-token --for ${SERVICE:?} | jq '{Authorization: .}'";
    Config config =
        files()
            .json(
                "{\"mcpServers\": {\"crm\": {\"type\": \"http\",",
                " \"url\": \"https://crm.example/mcp\", \"headersHelper\": \"" + line + "\"}}}")
            .load();

    assertThat(http(config, "crm").headersCommand())
        .isEqualTo(new HeadersCommand("headersHelper", List.of("/bin/sh", "-c", line), folder));
    assertThat(config.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "['']", "[' ', a]"})
  void commandWithoutAProgramIsRefused(String command) {
    assertThat(problem("servers: {a: {url: 'http://a.example', headers_command: " + command + "}}"))
        .contains(
            "1: servers.a.headers_command: names no program; write a program and its arguments, as"
                + " in [./crm-headers.sh]");
  }

  @Test
  void lineWhereAListBelongsIsRefused() {
    assertThat(problem("servers: {a: {url: 'http://a.example', headers_command: get-token}}"))
        .contains("servers.a.headers_command: holds", "write a list");
  }

  @Test
  void serverOverStdioHasNoHeaders() {
    assertThat(problem("servers: {a: {command: a, headers_command: [b]}}"))
        .contains("servers.a.headers_command: means nothing for a server with a command");
  }

  @Test
  void alertsKnowNoCommand() {
    assertThat(
            problem(
                "servers: {a: {command: a}}\n"
                    + "alerts: {url: 'http://a.example', headers_command: [b]}"))
        .contains("alerts.headers_command: unknown key");
  }

  private ConfigFiles files() {
    return new ConfigFiles(folder);
  }

  private String problem(String yaml) {
    return catchThrowableOfType(ConfigException.class, () -> files().yaml(yaml).load())
        .getMessage();
  }

  private static ServerConfig.Http http(Config config, String name) {
    return (ServerConfig.Http) config.servers().get(name).transport();
  }
}
