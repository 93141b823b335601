package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Backoff;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Money;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
  @TempDir Path folder;

  @Test
  void oneCommandIsEnoughAndEverythingElseHasADefault() {
    Config config =
        files().yaml("servers:", "  files: {command: npx, args: [server, /tmp]}").load();

    ServerConfig server = server(config, "files");
    assertThat(server.transport())
        .isEqualTo(
            new ServerConfig.Stdio(
                "npx", List.of("server", "/tmp"), Map.of(), null, Duration.ofSeconds(2)));
    assertThat(server.annotations()).isEqualTo(Annotations.BELIEVED);
    assertThat(server.prefix()).isEqualTo(Prefix.COLLISIONS);
    assertThat(server.protocol()).isEqualTo(Protocol.AUTO);
    assertThat(server.startTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(server.maxResultBytes()).isEqualTo(8 << 20);
    ToolConfig tool = server.tool("any");
    assertThat(tool.effect()).isNull();
    assertThat(tool.deadline()).isEqualTo(Duration.ofSeconds(60));
    assertThat(tool.callDeadline()).isEqualTo(Duration.ofMinutes(5));
    assertThat(tool.attempts()).isEqualTo(3);
    assertThat(tool.stall()).isNull();
    assertThat(tool.record()).isEqualTo(Recording.DIGEST);
    assertThat(tool.mask()).contains("password", "token", "secret", "authorization", "api_key");
    assertThat(config.run())
        .isEqualTo(new RunConfig(Duration.ofHours(2), 50, null, Duration.ofMinutes(30)));
    assertThat(config.backoff()).isEqualTo(Backoff.STANDARD);
    assertThat(config.listen().address()).isEqualTo(new ListenAddress("127.0.0.1", 7420));
    assertThat(config.listen().maxRequestBytes()).isEqualTo(4 << 20);
    assertThat(config.listen().maxHeaderBytes()).isEqualTo(32 << 10);
    assertThat(config.listen().maxConnections()).isEqualTo(12_000);
    assertThat(config.listen().maxCalls()).isEqualTo(2_000);
    assertThat(config.listen().shutdownGrace()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.journal())
        .isEqualTo(
            new JournalConfig(
                folder.resolve("home/.local/state/callbound/callbound.db"), Duration.ofDays(30)));
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void programGetsTheSameDefaultsAsAFileThatSaysNothing() {
    Config config = files().yaml("servers: {a: {command: a}}").load();

    assertThat(server(config, "a"))
        .isEqualTo(ServerConfig.standard("a", server(config, "a").transport()));
    assertThat(config.run()).isEqualTo(RunConfig.standard());
    assertThat(config.listen()).isEqualTo(ListenConfig.standard());
  }

  @Test
  void credentialIsTakenOutWithoutItsSchemeToo() {
    Config config =
        files()
            .yaml(
                "servers: {a: {url: 'https://a.example/',"
                    + " headers: {Authorization: Bearer 0123456789}}}")
            .load();

    assertThat(config.secrets().redact("Bearer of 0123456789")).isEqualTo("Bearer of ***");
  }

  @Test
  void toolGoesOverServerGoesOverDefaults() {
    Config config =
        files()
            .yaml(
                "defaults: {deadline: 10s, attempts: 2, stall: 5s, record: full, mask: [ssn]}",
                "servers:",
                "  crm:",
                "    url: https://crm.example/mcp",
                "    deadline: 20s",
                "    stall: 'off'",
                "    price: 0.02",
                "    mask: [iban]",
                "    tools:",
                "      export: {deadline: 3m, effect: read, attempts: 1, mask: [/person/name]}")
            .load();

    assertThat(server(config, "crm").tool("export"))
        .isEqualTo(
            new ToolConfig(
                Effect.READ,
                Duration.ofMinutes(3),
                Duration.ofMinutes(9),
                1,
                null,
                Recording.FULL,
                List.of("ssn", "iban", "/person/name"),
                List.of(),
                false,
                new Recognise.Nothing(),
                null,
                Duration.ofMinutes(10),
                Money.parse("0.02"),
                new Waiting(Duration.ofSeconds(50), Approve.NEVER, Duration.ofHours(1)),
                new Stuck(null, WhenStuck.MARK),
                ToolConfig.standard().circuit(),
                new ToolConfig.Origins(Origin.TOOL, Origin.TOOL, Origin.BUILT_IN)));
    assertThat(server(config, "crm").tool("other"))
        .isEqualTo(
            new ToolConfig(
                null,
                Duration.ofSeconds(20),
                Duration.ofMinutes(5),
                2,
                null,
                Recording.FULL,
                List.of("ssn", "iban"),
                List.of(),
                false,
                new Recognise.Nothing(),
                null,
                Duration.ofMinutes(10),
                Money.parse("0.02"),
                new Waiting(Duration.ofSeconds(50), Approve.NEVER, Duration.ofHours(1)),
                new Stuck(null, WhenStuck.MARK),
                ToolConfig.standard().circuit(),
                new ToolConfig.Origins(Origin.BUILT_IN, Origin.SERVER, Origin.BUILT_IN)));
  }

  @Test
  void deadlineThatNobodyWroteGivesWayToOneThatSomebodyWrote() {
    ToolConfig tool =
        server(files().yaml("run: {deadline: 30s}", "servers: {a: {command: a}}").load(), "a")
            .tool("t");
    assertThat(tool.deadline()).isEqualTo(Duration.ofSeconds(30));
    assertThat(tool.callDeadline()).isEqualTo(Duration.ofSeconds(30));

    tool =
        server(
                files().yaml("defaults: {call_deadline: 20s}", "servers: {a: {command: a}}").load(),
                "a")
            .tool("t");
    assertThat(tool.deadline()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void httpServerHasAllItsKeys() {
    Config config =
        files()
            .with("TOKEN", "s3cr3t-token")
            .yaml(
                "prefix: always",
                "servers:",
                "  api:",
                "    type: streamable-http",
                "    url: http://localhost:9000/mcp",
                "    headers: {Authorization: 'Bearer ${TOKEN}'}",
                "    connect_timeout: 3s",
                "    start_timeout: 1m",
                "    protocol: 2025-11-25",
                "    annotations: ignored",
                "    max_result: 512KiB",
                "    refused_statuses: [503]",
                "    allow_addresses: [10.0.0.0/8]")
            .load();

    ServerConfig server = server(config, "api");
    assertThat(server.transport())
        .isEqualTo(
            new ServerConfig.Http(
                URI.create("http://localhost:9000/mcp"),
                Map.of("Authorization", Secret.of("Bearer s3cr3t-token")),
                null,
                new AddressRules(
                    List.of(
                        AddressRange.parse("10.0.0.0/8"),
                        AddressRange.parse("127.0.0.0/8"),
                        AddressRange.parse("::1"))),
                Duration.ofSeconds(3),
                java.util.Set.of(503)));
    assertThat(server.prefix()).isEqualTo(Prefix.ALWAYS);
    assertThat(server.protocol()).isEqualTo(Protocol.V2025_11_25);
    assertThat(server.annotations()).isEqualTo(Annotations.IGNORED);
    assertThat(server.maxResultBytes()).isEqualTo(512 << 10);
    assertThat(config.toString()).doesNotContain("s3cr3t-token");
    assertThat(config.secrets().redact("sent Bearer s3cr3t-token, or s3cr3t-token"))
        .isEqualTo("sent ***, or ***");
  }

  @Test
  void variablesWorkInNumbersAndDurationsAndDoNotChangeTheStructure() {
    Config config =
        files()
            .with("N", "2")
            .with("D", "7s")
            .with("EVIL", "a\nenabled: false\nb: [")
            .yaml(
                "defaults: {attempts: '${N}', deadline: \"${D}\"}",
                "servers:",
                "  a:",
                "    command: ${PROGRAM:-npx}",
                "    args: ['${EVIL}', '$${N}', 'x${N}y${N}']")
            .load();

    ServerConfig server = server(config, "a");
    assertThat(server.tool("t").attempts()).isEqualTo(2);
    assertThat(server.tool("t").deadline()).isEqualTo(Duration.ofSeconds(7));
    assertThat(server.transport())
        .isEqualTo(
            new ServerConfig.Stdio(
                "npx",
                List.of("a\nenabled: false\nb: [", "${N}", "x2y2"),
                Map.of(),
                null,
                Duration.ofSeconds(2)));
  }

  @Test
  void scalarsKeepTheTextThatWasWritten() {
    Config config =
        files().yaml("servers: {a: {command: a, env: {MODE: 010, ON: yes, N: 1_000}}}").load();

    ServerConfig.Stdio stdio = (ServerConfig.Stdio) server(config, "a").transport();
    assertThat(stdio.env())
        .isEqualTo(
            Map.of("MODE", Secret.of("010"), "ON", Secret.of("yes"), "N", Secret.of("1_000")));
  }

  @Test
  void sectionWithNothingInItIsEmpty() {
    Config config =
        files().yaml("defaults:", "run: ~", "servers: {a: {command: a, tools: }}").load();

    assertThat(server(config, "a").tools().tools()).isEmpty();
  }

  @Test
  void quotedNothingIsAnEmptyText() {
    Config config = files().yaml("servers: {a: {command: a, args: [''], env: {X: \"\"}}}").load();

    ServerConfig.Stdio stdio = (ServerConfig.Stdio) server(config, "a").transport();
    assertThat(stdio.args()).containsExactly("");
    assertThat(stdio.env()).isEqualTo(Map.of("X", Secret.of("")));
  }

  @Test
  void relativePathsStartAtTheFileAndTildeIsTheHome() {
    Config config =
        files()
            .yaml(
                "journal: {file: ~/records/calls.db, retention: 7d}",
                "servers: {a: {command: a, cwd: work}}")
            .load();

    assertThat(config.journal())
        .isEqualTo(new JournalConfig(folder.resolve("home/records/calls.db"), Duration.ofDays(7)));
    assertThat(((ServerConfig.Stdio) server(config, "a").transport()).cwd())
        .isEqualTo(folder.resolve("work"));
  }

  @Test
  void doorOpensToTheNetworkWithTokens() {
    Config config =
        files()
            .with("CI", "0123456789abcdef")
            .yaml(
                "servers: {a: {command: a}}",
                "listen:",
                "  address: 0.0.0.0:80",
                "  allowed_hosts: [gateway.example]",
                "  tokens: [{principal: ci, token: '${CI}'}]")
            .load();

    ListenConfig listen = config.listen();
    assertThat(listen.principal("0123456789abcdef")).isEqualTo("ci");
    assertThat(listen.principal("0123456789abcdeF")).isNull();
    assertThat(listen.allowsHost("gateway.example:80")).isTrue();
    assertThat(listen.allowsHost("localhost:80")).isFalse();
    assertThat(config.secrets().redact("token 0123456789abcdef")).isEqualTo("token ***");
  }

  @Test
  void serversOfBothFilesAreMerged() {
    Config config =
        files()
            .yaml("defaults: {deadline: 9s}", "servers: {a: {command: a}}")
            .json("{\"mcpServers\": {\"b\": {\"url\": \"https://b.example/mcp\"}}}")
            .load();

    assertThat(config.servers()).containsOnlyKeys("a", "b");
    assertThat(server(config, "b").tool("t").deadline()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void anotherProgramsFileIsTakenUnchanged() {
    Config config =
        files()
            .with("KEY", "0123456789")
            .json(
                "{ // a comment",
                "  \"globalShortcut\": \"x\",",
                "  \"mcpServers\": {",
                "    \"a\": {\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", 1],",
                "           \"env\": {\"KEY\": \"${env:KEY}\"}, \"alwaysAllow\": [], \"deadline\":"
                    + " 3},",
                "    \"b\": {\"type\": \"streamableHttp\", \"url\": \"https://b.example/mcp\",",
                "           \"headers\": {\"X-Key\": \"${KEY}\", \"Accept\": \"*/*\"}},",
                "    \"c\": {\"command\": \"c\", \"disabled\": true, \"env\": {\"K\":"
                    + " \"${UNSET}\"}},",
                "  }",
                "}")
            .load();

    assertThat(config.servers()).containsOnlyKeys("a", "b");
    assertThat(server(config, "a").transport())
        .isEqualTo(
            new ServerConfig.Stdio(
                "npx",
                List.of("-y", "1"),
                Map.of("KEY", Secret.of("0123456789")),
                null,
                Duration.ofSeconds(2)));
    assertThat(((ServerConfig.Http) server(config, "b").transport()).headers())
        .isEqualTo(Map.of("X-Key", Secret.of("0123456789")));
    assertThat(config.warnings())
        .containsExactly(
            folder.resolve("mcp.json") + ":5: mcpServers.a.alwaysAllow: ignored",
            folder.resolve("mcp.json") + ":5: mcpServers.a.deadline: ignored",
            folder.resolve("mcp.json")
                + ":7: mcpServers.b.headers: Accept is set by the gateway itself; left out");
  }

  @Test
  void editorsFileHasItsServersUnderServers() {
    Config config =
        files().json("{\"inputs\": [], \"servers\": {\"a\": {\"command\": \"a\"}}}").load();

    assertThat(config.servers()).containsOnlyKeys("a");
  }

  @Test
  void serverThatIsOffMayLackItsVariables() {
    Config config =
        files()
            .yaml("servers:", "  a: {command: a}", "  b: {url: '${UNSET}', enabled: false}")
            .load();

    assertThat(config.servers()).containsOnlyKeys("a");
  }

  @Test
  void anchorsAndAliasesShareValues() {
    Config config =
        files()
            .yaml("servers:", "  a: {command: a, tools: {x: &slow {deadline: 90s}, y: *slow}}")
            .load();

    assertThat(server(config, "a").tool("y").deadline()).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void journalIsFoundWithoutTheServersVariables() {
    Path yaml =
        files().write("c.yaml", "servers: {a: {command: '${UNSET}'}}", "journal: {file: j.db}");

    assertThat(new ConfigLoader(Map.of()).loadJournal(yaml).file())
        .isEqualTo(folder.resolve("j.db"));
  }

  @Test
  void usersConfigIsFoundWhereNoneIsNamed() {
    files().write("config/callbound/callbound.yaml", "servers: {mine: {command: a}}");

    Config config =
        new ConfigLoader(Map.of("XDG_CONFIG_HOME", folder.resolve("config").toString()))
            .load(null, null);

    assertThat(config.servers()).containsOnlyKeys("mine");
  }

  private static ServerConfig server(Config config, String name) {
    return Objects.requireNonNull(config.servers().get(name));
  }

  private ConfigFiles files() {
    return new ConfigFiles(folder);
  }
}
