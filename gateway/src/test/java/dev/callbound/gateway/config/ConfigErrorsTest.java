package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigErrorsTest {
  private static final String OK = "servers: {a: {command: a}}";

  @TempDir Path folder;

  /** The second column is the whole error, without the file's name. */
  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake(OK + "\nlissten: {}", "2: lissten: unknown key; did you mean listen?"),
        mistake(
            "servers:\n  a:\n    command: a\n    callDeadline: 6m",
            "4: servers.a.callDeadline: unknown key; did you mean call_deadline?"),
        mistake(
            "servers:\n  a:\n    command: a\n    timeout: 6m",
            "4: servers.a.timeout: unknown key; did you mean deadline?"),
        mistake(
            OK + "\nrun: {zzzzzzz: 1}",
            "2: run.zzzzzzz: unknown key; known here: deadline, retries, spend, idle_after"),
        mistake(
            "servers:\n  a:\n    command: a\n    tools: {t: {deadline: 3h}}",
            "4: servers.a.tools.t.deadline: 3h is longer than the run's deadline 2h; shorten it, or"
                + " lengthen run.deadline"),
        mistake(
            OK + "\nrun: {spend: 0.20}\ndefaults: {price: 0.25}",
            "3: defaults.price: 0.25 is more than a run may spend, 0.20, so that no attempt could"
                + " be made; lower it, or raise run.spend"),
        mistake(
            OK + "\nrun: {spend: -1}",
            "2: run.spend: '-1' is not an amount; write one such as 0.25, with six decimals at"
                + " most"),
        mistake(
            "servers:\n  a:\n    command: a\n    circuit: {per: server}\n"
                + "    tools: {t: {circuit: {failures: 2}}}",
            "5: servers.a.tools.t.circuit: says when the circuit of its server opens; add per: tool"
                + " here, or say it at the server"),
        mistake(
            "servers: {a: {command: a, tools: {t: {circuit: {per: server}}}}}",
            "1: servers.a.tools.t.circuit: wants the circuit of its server, which has none; set per:"
                + " server at the server"),
        mistake(
            OK + "\ndefaults: {at_once: 0}",
            "2: defaults.at_once: '0' is out of range; write a number from 1 to 100000"),
        mistake(
            OK + "\ndefaults: {deadline: 0}",
            "2: defaults.deadline: '0' is too short; write at least 1ms"),
        mistake(
            OK + "\ndefaults: {deadline: 30}",
            "2: defaults.deadline: '30' has no unit; write 30s for seconds, or use ms, m, h, d"),
        mistake(
            OK + "\ndefaults: {deadline: soon}",
            "2: defaults.deadline: 'soon' is not a duration; write one such as 250ms, 30s, 5m or"
                + " 1h30m"),
        mistake(
            OK + "\ndefaults: {deadline: [1s]}",
            "2: defaults.deadline: holds a list; write a duration"),
        mistake(
            OK + "\ndefaults: {deadline: }",
            "2: defaults.deadline: holds nothing; write a duration"),
        mistake(
            "servers: {a: {command: ''}}",
            "1: servers.a.command: '' is empty; write a value, or leave the key out"),
        mistake(OK + "\ndefaults: [1]", "2: defaults: holds a list; write keys and values"),
        mistake(
            OK + "\ndefaults: {deadline: 2m, call_deadline: 1m}",
            "2: defaults.call_deadline: the call's deadline 1m is shorter than an attempt's, 2m; set"
                + " call_deadline here to at least 2m"),
        mistake(
            "defaults: {call_deadline: 6m}\nservers: {a: {command: a, tools: {t: {deadline: 7m}}}}",
            "2: servers.a.tools.t.deadline: the call's deadline 6m is shorter than an attempt's, 7m;"
                + " set call_deadline here to at least 7m"),
        mistake(
            OK + "\ndefaults: {attempts: 11}",
            "2: defaults.attempts: '11' is out of range; write a number from 1 to 10"),
        mistake(
            OK + "\ndefaults: {attempts: many}",
            "2: defaults.attempts: 'many' is not a whole number; write one from 1 to 10"),
        mistake(
            OK + "\ndefaults: {record: all}",
            "2: defaults.record: 'all' is not a choice here; write digest or full"),
        mistake(
            OK + "\ndefaults: {max_result: 8MB}",
            "2: defaults.max_result: '8MB' is not a size; write one such as 512KiB or 8MiB, or bytes"
                + " alone"),
        mistake(
            OK + "\ndefaults: {max_result: 2GiB}",
            "2: defaults.max_result: '2GiB' is too large; write at most 1GiB"),
        mistake(
            OK + "\ndefaults: {mask: [/a~b]}",
            "2: defaults.mask[0]: '/a~b' is not a JSON pointer; write ~0 for ~ and ~1 for /"),
        mistake(
            OK + "\nbackoff: {base: 30s}",
            "2: backoff.base: the cap 20s is shorter than the base 30s; set a cap of at least the"
                + " base"),
        mistake(
            "servers:\n  a: {command: a, url: https://a.example}",
            "2: servers.a: has both command and url; keep command for stdio, or url for HTTP"),
        mistake(
            "servers:\n  a: {}",
            "2: servers.a: has neither command nor url; set command for stdio, or url for HTTP"),
        mistake(
            "servers: {a: {url: 'ftp://a.example'}}",
            "1: servers.a.url: 'ftp://a.example' is not an http or https URL; write one such as"
                + " https://host/mcp"),
        mistake(
            "servers: {a: {url: 'https:///mcp'}}",
            "1: servers.a.url: 'https:///mcp' names no valid host; write one such as"
                + " https://host/mcp"),
        mistake(
            "servers: {a: {url: 'https://a.example', type: sse}}",
            "1: servers.a.type: 'sse' is the old HTTP+SSE transport, which is not supported; name the"
                + " server's Streamable HTTP endpoint, with type http"),
        mistake(
            "servers: {a: {url: 'https://a.example', type: stdio}}",
            "1: servers.a.type: contradicts url; write http, or leave it out"),
        mistake(
            "servers: {a: {command: a, connect_timeout: 1s}}",
            "1: servers.a.connect_timeout: means nothing for a server with a command; leave it out"),
        mistake(
            "servers: {a__b: {command: a}}",
            "1: servers.a__b: is not a server's name; use 1 to 32 letters, digits, - and _, without"
                + " __"),
        mistake(
            "servers: {a: {url: 'http://169.254.169.254/mcp'}}",
            "1: servers.a.url: names 169.254.169.254, a link-local address or a cloud's metadata"
                + " service; name a server at another address; these are never reached"),
        mistake(
            "servers: {a: {url: 'http://a.example', allow_addresses: [169.254.169.254]}}",
            "1: servers.a.allow_addresses[0]: '169.254.169.254' is link-local or a cloud's metadata"
                + " service, which is never allowed; leave it out"),
        mistake(
            "servers: {a: {url: 'http://a.example', allow_addresses: [intranet]}}",
            "1: servers.a.allow_addresses[0]: 'intranet' is not an address or a range; write one such"
                + " as 10.1.2.3 or 10.0.0.0/8"),
        mistake(
            "servers: {a: {url: 'http://a.example', headers: {X: \"a\\nb\"}}}",
            "1: servers.a.headers: the value of X holds a line break or another control character;"
                + " check the variable for a trailing line break"),
        mistake(
            "servers: {a: {command: '${UNSET}'}}",
            "1: servers.a.command: '${UNSET}' names the variable UNSET, which is not set; set UNSET,"
                + " or give a default: ${UNSET:-...}"),
        mistake(
            "servers: {a: {command: a, env: {K: 'my-secret-${UNSET}'}}}",
            "1: servers.a.env.K: the value names the variable UNSET, which is not set; set UNSET, or"
                + " give a default: ${UNSET:-...}"),
        mistake(
            "servers: {a: {command: '${input:key}'}}",
            "1: servers.a.command: '${input:key}' asks for an editor's input, which only the editor"
                + " can give; put the value into the environment and write ${NAME}"),
        mistake(
            "servers: {a: {command: '${A'}}",
            "1: servers.a.command: '${A' holds a ${ that is not ${NAME} or ${NAME:-default}; for a"
                + " plain ${ write $${"),
        mistake(
            OK + "\nlisten: {address: '0.0.0.0:80'}",
            "2: listen.address: '0.0.0.0:80' is not a loopback address, and no tokens are set; listen"
                + " on 127.0.0.1, or give each client a token under listen.tokens"),
        mistake(
            OK + "\nlisten: {address: '80'}",
            "2: listen.address: '80' is not HOST:PORT; write 127.0.0.1:7420, or [::1]:0 for any port"),
        mistake(
            OK + "\nlisten: {tokens: []}",
            "2: listen.tokens: lists no token; list one, or leave the key out"),
        mistake(
            OK + "\nlisten: {tokens: [{principal: a, token: hunter2}]}",
            "2: listen.tokens[0].token: is shorter than 16 characters; make one with: openssl rand"
                + " -hex 32"),
        mistake(
            OK + "\n" + OK,
            "2: servers: stands here for the second time, first on line 1; keep one"),
        mistake(
            "journal: {file: \"a\\0b\"}\n" + OK,
            "1: journal.file: 'a\0b' holds the character NUL; leave it out"),
        mistake(
            "servers:\n  a:\n    attempts: 2",
            "2: servers.a: has neither command nor url; set command for stdio, or url for HTTP"),
        mistake("", "is empty; name at least one server in it"),
        mistake("# nothing", "is empty; name at least one server in it"),
        mistake("- a", "1: holds a list; write keys and values, as in servers:"),
        mistake("prefix: always", "no server is set and enabled; set one"),
        mistake(OK + "\n---\na: 1", "3: holds a second document; keep one document"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeNamesItsPlaceAndTheRemedy(String yaml, String error) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> files().yaml(yaml.split("\n", -1)).load())
        .withMessage(
            folder.resolve("callbound.yaml") + ":" + (error.matches("\\d.*") ? "" : " ") + error);
  }

  @Test
  void malformedYamlNamesLineAndColumn() {
    assertThat(errors(files().yaml("servers:", "  a: [command")))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(2);
              assertThat(problem.wrong())
                  .isEqualTo(
                      "is not YAML at column 14: while parsing a flow sequence, expected ',' or ']',"
                          + " but got <stream end>");
            });
  }

  @Test
  void malformedJsonNamesLineAndColumn() {
    assertThat(errors(files().json("{", " \"mcpServers\": {,}}")))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(2);
              assertThat(problem.wrong()).startsWith("is not JSON at column ");
            });
  }

  @Test
  void allMistakesAreSaidAtOnce() {
    assertThat(
            errors(
                files()
                    .yaml(
                        "servers:",
                        "  a: {command: a, deadline: 0}",
                        "  b: {url: x}",
                        "run: {retries: -1}")))
        .extracting(ConfigProblem::path)
        .containsExactly("servers.a.deadline", "servers.b.url", "run.retries");
  }

  @Test
  void atMostTwentyAreShown() {
    String[] lines = new String[31];
    lines[0] = OK;
    for (int i = 1; i < lines.length; i++) {
      lines[i] = "zzzzzzz" + i + ": 1";
    }

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> files().yaml(lines).load())
        .satisfies(thrown -> assertThat(thrown.getMessage()).endsWith("\nand 10 more"));
  }

  @Test
  void fileThatIsNotUtf8IsRefusedAtItsLine() {
    byte[] bytes = (OK + "\nx: \u00e9").getBytes(StandardCharsets.ISO_8859_1);

    assertThat(errors(files().bytes(bytes)))
        .extracting(ConfigProblem::line, ConfigProblem::wrong)
        .containsExactly(org.assertj.core.api.Assertions.tuple(2, "is not UTF-8"));
  }

  @Test
  void fileOverOneMebibyteIsRefused() {
    assertThat(errors(files().bytes(new byte[SourceFile.MOST_BYTES + 1])))
        .extracting(ConfigProblem::wrong)
        .containsExactly("is larger than 1 MiB");
  }

  @Test
  void aliasesThatMultiplyAreRefused() {
    String[] lines = new String[12];
    lines[0] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]";
    for (int i = 1; i < lines.length; i++) {
      String alias = "*a" + (i - 1);
      lines[i] =
          "a"
              + i
              + ": &a"
              + i
              + " ["
              + String.join(
                  ", ",
                  List.of(alias, alias, alias, alias, alias, alias, alias, alias, alias, alias))
              + "]";
    }

    assertThat(errors(files().yaml(lines)))
        .extracting(ConfigProblem::wrong)
        .containsExactly("holds more than 20000 values, aliases expanded");
  }

  @Test
  void deepNestingIsRefused() {
    assertThat(errors(files().yaml("a: " + "[".repeat(10_000)))).hasSize(1);
    assertThat(errors(new ConfigFiles(folder).json("{\"a\": " + "[".repeat(10_000)))).hasSize(1);
  }

  @Test
  void missingFileAndFolderAreNamed() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> new ConfigLoader(Map.of()).load(folder.resolve("no.yaml"), null))
        .withMessage(folder.resolve("no.yaml") + ": does not exist; check the path");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> new ConfigLoader(Map.of()).load(folder, null))
        .withMessage(folder + ": is a folder; name a file in it");
  }

  @Test
  void noFileAtAllSaysWhereOneIsLookedFor() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> new ConfigLoader(Map.of("HOME", "/nowhere")).load(null, null))
        .withMessage(
            "no config: neither ./callbound.yaml nor /nowhere/.config/callbound/callbound.yaml"
                + " exists; name one with --config FILE, or your client's own with --mcp-config"
                + " .mcp.json");
  }

  @Test
  void sameNameInBothFilesIsRefused() {
    assertThat(errors(files().yaml(OK).json("{\"mcpServers\": {", "\"a\": {\"command\": \"b\"}}}")))
        .extracting(ConfigProblem::toString)
        .containsExactly(
            folder.resolve("mcp.json")
                + ":2: mcpServers.a: is a server already, at "
                + folder.resolve("callbound.yaml")
                + ":1; give one of them another name");
  }

  @Test
  void secretNeverAppearsInAnError() {
    ConfigFiles files =
        files()
            .with("S", "hunter2hunter2")
            .yaml(
                "defaults: {deadline: '${S}'}",
                "servers: {a: {url: 'ftp://${S}', headers: {X: \"${S}\\n\"}}}");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(files::load)
        .satisfies(
            thrown -> {
              assertThat(thrown.problems()).hasSize(3);
              assertThat(thrown.getMessage()).doesNotContain("hunter2");
            });
  }

  private static List<ConfigProblem> errors(ConfigFiles files) {
    try {
      files.load();
    } catch (ConfigException wrong) {
      return wrong.problems();
    }
    return List.of();
  }

  private static Arguments mistake(String yaml, String error) {
    return Arguments.of(yaml, error);
  }

  private ConfigFiles files() {
    return new ConfigFiles(folder);
  }
}
