package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.callbound.policy.Effect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProfilesTest {
  private static final String[] CRM = {
    "source: https://crm.example/tools",
    "version: 2.1",
    "checked: 2026-12-01",
    "servers: [{name: crm, version: '2\\..*'}]",
    "statuses:",
    "  - {text: 'over quota', status: 429}",
    "  - {text: 'CRM said ([45]\\d\\d)'}",
    "tools:",
    "  find: {effect: read, deadline: 3m}",
    "  send:",
    "    effect: write",
    "    deadline: 90s",
    "    target: [to]",
    "    recognise: {key: {header: Idempotency-Key, expires: 24h}}",
    "  log: {effect: write, repeats: true}",
  };

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "github-mcp-server, v1.10.1, github",
    "secure-filesystem-server, 0.2.0, filesystem",
    "memory-server, 0.6.3, memory",
    "mcp-servers/everything, 2.0.0, everything",
    "mcp-git, 1.0, git",
    "mcp-fetch, 1.0, fetch",
    "Playwright, 1.64.0-alpha, playwright",
    "Notion API, 1.0.0, notion",
    "Slack MCP Server, 1.2.3, slack",
    "Atlassian MCP, 2.0, atlassian",
    "linear-mcp-server, 1.0.0, linear",
    "example-servers/postgres, 0.1.0, postgres",
    "sqlite, 0.1.0, sqlite",
  })
  void serverIsKnownByItsOwnName(String name, String version, String profile) {
    assertThat(Profiles.byServer(name, version)).map(Profile::name).contains(profile);
  }

  @ParameterizedTest
  @CsvSource({"sqlite, 0.9.0", "Notion API, 2.0.0", "GitHub-MCP-Server, 1.0", "somebody, 1.0"})
  void anotherVersionOrNameIsNot(String name, String version) {
    assertThat(Profiles.byServer(name, version)).isEmpty();
  }

  @Test
  void serverThatGivesNoNameIsNotKnown() {
    assertThat(Profiles.byServer(null, "1.0")).isEmpty();
    assertThat(Profiles.byServer("sqlite", null)).isEmpty();
  }

  @Test
  void everyShippedProfileSaysWhereItIsFromAndIsForSomeServer() {
    assertThat(Profiles.shipped()).extracting(Profile::name).isEqualTo(Profiles.names());
    assertThat(Profiles.shipped())
        .allSatisfy(
            profile -> {
              assertThat(profile.source()).startsWith("https://");
              assertThat(profile.version()).isNotBlank();
              assertThat(profile.checked()).isAfterOrEqualTo(LocalDate.of(2026, 12, 1));
              assertThat(profile.servers()).isNotEmpty();
              assertThat(profile.tools()).isNotEmpty();
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          github    | failed to get issue: GitHub API rate limit exceeded. Retry after 4m0s.           | 429
          github    | failed to search: GET https://api.github.com/search: 403 API rate limit exceeded | 429
          github    | failed to get issue: GET https://api.github.com/repos/a/b/issues/1: 404 Not Found | 404
          github    | failed to list: unexpected status 502: bad gateway                               | 502
          slack     | slack rate limit exceeded, retry after 30s                                       | 429
          slack     | slack server error: 503 Service Unavailable                                      | 503
          slack     | invalid_auth                                                                     | 401
          atlassian | Error calling tool 'x': 429 Client Error: Too Many Requests for url: https://a   | 429
          atlassian | Error calling tool 'x': 503 Server Error: Service Unavailable for url: https://a | 503
          fetch     | Failed to fetch https://a.example/x - status code 503                            | 503
          github    | failed to create issue: the title says 503                                       | 0
          atlassian | page 404 is titled 500                                                           | 0
          git       | 503                                                                              | 0
          """)
  void textOfAnErrorWrapsAStatus(String profile, String text, int status) {
    assertThat(Profiles.named(profile).orElseThrow().statusIn(text).orElse(0)).isEqualTo(status);
  }

  @Test
  void longTextIsNotSearchedToItsEnd() {
    Profile crm = crm();

    assertThat(crm.statusIn("over quota")).hasValue(429);
    assertThat(crm.statusIn("CRM said 503")).hasValue(503);
    assertThat(crm.statusIn(" ".repeat(3_000) + "over quota")).isEmpty();
  }

  @Test
  void configGoesOverProfileGoesOverDefaults() {
    ServerConfig server =
        server(
            "defaults: {deadline: 10s}",
            "servers:",
            "  crm:",
            "    url: https://crm.example",
            "    profile: ./crm.yaml",
            "    tools:",
            "      send: {target: [to, text]}",
            "      log: {effect: read}");
    Profile profile = known(server);

    ToolConfig find = server.tool("find", profile);
    assertThat(find.effect()).isEqualTo(Effect.READ);
    assertThat(find.deadline()).isEqualTo(Duration.ofMinutes(3));
    assertThat(find.from())
        .isEqualTo(new ToolConfig.Origins(Origin.PROFILE, Origin.PROFILE, Origin.BUILT_IN));

    ToolConfig send = server.tool("send", profile);
    assertThat(send.target()).containsExactly("to", "text");
    assertThat(send.recognise())
        .isEqualTo(
            new Recognise.ByKey(Recognise.Carrier.HEADER, "Idempotency-Key", Duration.ofHours(24)));
    assertThat(send.from().recognise()).isEqualTo(Origin.PROFILE);

    ToolConfig log = server.tool("log", profile);
    assertThat(log.effect()).isEqualTo(Effect.READ);
    assertThat(log.repeats()).isTrue();
    assertThat(log.deadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(log.from().effect()).isEqualTo(Origin.TOOL);
    assertThat(log.from().deadline()).isEqualTo(Origin.DEFAULTS);

    assertThat(server.tool("unheard_of", profile).effect()).isNull();
    assertThat(server.tool("find").effect()).isNull();
  }

  @Test
  void deadlineOfTheServerGoesOverTheProfiles() {
    ServerConfig server =
        server("servers: {crm: {url: 'https://crm.example', profile: ./crm.yaml, deadline: 20s}}");

    ToolConfig find = server.tool("find", known(server));
    assertThat(find.deadline()).isEqualTo(Duration.ofSeconds(20));
    assertThat(find.from().deadline()).isEqualTo(Origin.SERVER);
  }

  @Test
  void deadlineOfAProfileGivesWayToTheRunAndTheCall() {
    ServerConfig server =
        server(
            "run: {deadline: 1m}",
            "servers: {crm: {url: 'https://crm.example', profile: ./crm.yaml}}");
    assertThat(server.tool("find", known(server)).deadline()).isEqualTo(Duration.ofMinutes(1));

    server =
        server(
            "defaults: {call_deadline: 40s}",
            "servers: {crm: {url: 'https://crm.example', profile: ./crm.yaml}}");
    ToolConfig find = server.tool("find", known(server));
    assertThat(find.deadline()).isEqualTo(Duration.ofSeconds(40));
    assertThat(find.callDeadline()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void headerIsNoRecognitionForAServerThatHasNone() {
    ServerConfig server = server("servers: {crm: {command: crm, profile: ./crm.yaml}}");

    assertThat(server.tool("send", known(server)).recognise()).isEqualTo(new Recognise.Nothing());
  }

  @Test
  void profileIsChosenByTheServerUnlessTheConfigSaysOtherwise() {
    assertThat(profileOf("")).isEqualTo("memory");
    assertThat(profileOf(", profile: auto")).isEqualTo("memory");
    assertThat(profileOf(", profile: git")).isEqualTo("git");
    assertThat(profileOf(", profile: none")).isNull();
  }

  /** The second column is the whole error, after the file's name. */
  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake("tools: {t: {}}", "1: tools.t: effect is missing; write read or write"),
        mistake(
            "tools: {t: {effect: write, record: full}}",
            "1: tools.t.record: unknown key; known here: effect, target, repeats, recognise,"
                + " deadline, call_deadline"),
        mistake(
            "statuses: [{text: oops}]",
            "1: statuses[0].text: names no status, and has no group that holds one; add status, or"
                + " put the digits in a group, as in '([45]\\d\\d) Error'"),
        mistake(
            "statuses: [{text: 'a(b', status: 429}]",
            "1: statuses[0].text: 'a(b' is not a regular expression (Unclosed group); write one as"
                + " Java knows it, in single quotes"),
        mistake(
            "servers: [{version: 1}]",
            "1: servers[0]: name is missing; write the server's own name"),
        mistake(
            "tools: {t: {effect: write, recognise: {check: {tool: find, found: {at: /a}}}}}",
            "1: tools.t.recognise: asks find, which this profile does not list as a read; list it"
                + " with effect: read, or ask another"),
        mistake(
            "tools: {t: {effect: write, deadline: 2m, call_deadline: 1m}}",
            "1: tools.t.call_deadline: the call's deadline 1m is shorter than an attempt's, 2m; set"
                + " call_deadline here to at least 2m"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeInAProfileNamesItsPlaceAndTheRemedy(String yaml, String error) {
    Path file =
        new ConfigFiles(folder)
            .write("own.yaml", yaml, "source: here", "version: 1", "checked: 2026-12-01");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () ->
                new ConfigFiles(folder)
                    .yaml("servers: {a: {command: a, profile: own.yaml}}")
                    .load())
        .withMessage(file + ":" + error);
  }

  @Test
  void profileThatIsNotThereIsNamed() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () -> new ConfigFiles(folder).yaml("servers: {a: {command: a, profile: gihub}}").load())
        .withMessageContaining("servers.a.profile: 'gihub' is not a profile; did you mean github?")
        .withMessageEndingWith("for a file of your own write its path, as in ./gihub.yaml");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () -> new ConfigFiles(folder).yaml("servers: {a: {command: a, profile: ./b}}").load())
        .withMessage(folder.resolve("b") + ": does not exist; check the path");
  }

  private @Nullable String profileOf(String more) {
    ServerConfig server = server("servers: {crm: {command: a" + more + "}}");
    return server.profileFor("memory-server", "0.6.3").map(Profile::name).orElse(null);
  }

  private Profile crm() {
    return known(server("servers: {crm: {command: a, profile: crm.yaml}}"));
  }

  private static Profile known(ServerConfig server) {
    return server.profileFor(null, null).orElseThrow();
  }

  private ServerConfig server(String... lines) {
    ConfigFiles files = new ConfigFiles(folder);
    files.write("crm.yaml", CRM);
    return Objects.requireNonNull(files.yaml(lines).load().servers().get("crm"));
  }

  private static Arguments mistake(String yaml, String error) {
    return Arguments.of(yaml, error);
  }
}
