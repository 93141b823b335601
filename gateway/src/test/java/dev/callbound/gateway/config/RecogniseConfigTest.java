package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.callbound.policy.Recognition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecogniseConfigTest {
  private static final String CHECK = "recognise: {check: {tool: find, ";

  @TempDir Path folder;

  static Stream<Arguments> ways() {
    return Stream.of(
        way("recognise: none", new Recognise.Nothing()),
        way(
            "recognise: {key: {argument: idempotency_key, expires: 24h}}",
            new Recognise.ByKey(
                Recognise.Carrier.ARGUMENT, "idempotency_key", Duration.ofHours(24))),
        way(
            "recognise: {key: {meta: example.com/key}}",
            new Recognise.ByKey(Recognise.Carrier.META, "example.com/key", null)),
        way(
            "recognise: {key: {header: Idempotency-Key}}",
            new Recognise.ByKey(Recognise.Carrier.HEADER, "Idempotency-Key", null)),
        way(
            "recognise: {key: {param: idempotencyKey}}",
            new Recognise.ByKey(Recognise.Carrier.PARAM, "idempotencyKey", null)),
        way(
            "recognise: {marker: {append_to: body, as: \"\\n<!-- {key} -->\"}, check: {tool: list,"
                + " arguments: {issue: '{/issue}'}, pages: {cursor: /nextCursor}}}",
            new Recognise.ByCheck(
                new Recognise.Marker("body", true, "\n<!-- {key} -->"),
                new Recognise.Probe(
                    "list",
                    "{\"issue\":\"{/issue}\"}",
                    new Recognise.Pages("/nextCursor", "cursor", 20),
                    null,
                    null,
                    Duration.ofSeconds(15),
                    2))),
        way(
            "recognise: {marker: {set: external_id}, check: {tool: find, found: {at:"
                + " /*/external_id, equals: '{key}'}, deadline: 5s, attempts: 1}}",
            new Recognise.ByCheck(
                new Recognise.Marker("external_id", false, "{key}"),
                new Recognise.Probe(
                    "find",
                    "{}",
                    null,
                    new Recognise.Found("/*/external_id", "{key}"),
                    null,
                    Duration.ofSeconds(5),
                    1))),
        way(
            CHECK + "found: {at: /total}}}",
            new Recognise.ByCheck(
                null,
                new Recognise.Probe(
                    "find",
                    "{}",
                    null,
                    new Recognise.Found("/total", null),
                    null,
                    Duration.ofSeconds(15),
                    2))),
        way(
            CHECK + "found: {at: /a~1b, equals: /x}, settles_after: 10s}}",
            new Recognise.ByCheck(
                null,
                new Recognise.Probe(
                    "find",
                    "{}",
                    null,
                    new Recognise.Found("/a~1b", "/x"),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(15),
                    2))));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void everyWayIsRead(String yaml, Recognise recognise) {
    assertThat(tool(yaml).recognise()).isEqualTo(recognise);
    assertThat(tool(yaml).from().recognise()).isEqualTo(Origin.TOOL);
  }

  @Test
  void argumentsOfACheckKeepTheirKinds() {
    Recognise recognise =
        tool(CHECK
                + "found: {at: /a, equals: /b}, arguments: {n: 10, big: 12345678901234567890,"
                + " half: 1.5, yes: true, text: '10', word: open, none: ~, list: [1, {a: b}],"
                + " query: 'is:open {/title} in {/repo/name}'}}}")
            .recognise();

    assertThat(recognise)
        .isInstanceOfSatisfying(
            Recognise.ByCheck.class,
            by ->
                assertThat(by.check().arguments())
                    .isEqualTo(
                        "{\"n\":10,\"big\":12345678901234567890,\"half\":1.5,\"yes\":true,"
                            + "\"text\":\"10\",\"word\":\"open\",\"none\":null,"
                            + "\"list\":[1,{\"a\":\"b\"}],"
                            + "\"query\":\"is:open {/title} in {/repo/name}\"}"));
  }

  @Test
  void nothingWrittenIsNoRecognition() {
    ToolConfig tool = tool("deadline: 5s");

    assertThat(tool.recognise().kind()).isEqualTo(Recognition.NONE);
    assertThat(tool.target()).isEmpty();
    assertThat(tool.repeats()).isFalse();
    assertThat(tool.lateWindow()).isNull();
    assertThat(tool.settleFor()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void lateWindowAndSettlingInheritAndTheRestIsTheTools() {
    Config config =
        files(
                "settle_by_model: true",
                "defaults: {late_window: 5s, settle_for: 1h}",
                "servers:",
                "  a:",
                "    url: https://a.example",
                "    late_window: 0",
                "    tools:",
                "      t: {target: [to, /when/day], repeats: true, settle_for: 0}")
            .load();

    assertThat(config.settleByModel()).isTrue();
    ToolConfig tool = Objects.requireNonNull(config.servers().get("a")).tool("t");
    assertThat(tool.lateWindow()).isEqualTo(Duration.ZERO);
    assertThat(tool.settleFor()).isEqualTo(Duration.ZERO);
    assertThat(tool.target()).containsExactly("to", "/when/day");
    assertThat(tool.repeats()).isTrue();
  }

  /** The second column is the whole error, after the file and the tool's path. */
  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake(
            "recognise: key",
            ".recognise: holds a single value; write none, or key or marker or check"),
        mistake(
            "recognise: {}", ".recognise: says nothing; write none, or name key or check under it"),
        mistake(
            "recognise: {keys: {argument: k}}", ".recognise.keys: unknown key; did you mean key?"),
        mistake(
            "recognise: {key: idempotency_key}",
            ".recognise.key: holds a single value; write keys and values"),
        mistake(
            "recognise: {key: {}}",
            ".recognise.key: names no place for the key; name one of argument, meta, header and"
                + " param"),
        mistake(
            "recognise: {key: {argument: k, meta: k}}",
            ".recognise.key: names several places for the key; name one of argument, meta, header"
                + " and param"),
        mistake(
            "recognise: {key: {argument: k, expires: 0}}",
            ".recognise.key.expires: '0' is too short; write at least 1s"),
        mistake(
            "recognise: {key: {argument: /k}}",
            ".recognise.key.argument: '/k' is a JSON pointer; write the name of an argument,"
                + " without the slash"),
        mistake(
            "recognise: {key: {meta: io.mcp.x/key}}",
            ".recognise.key.meta: 'io.mcp.x/key' has a prefix that the protocol keeps for itself;"
                + " name the field that the tool reads"),
        mistake(
            "recognise: {key: {header: 'Idem Key'}}",
            ".recognise.key.header: 'Idem Key' is not a header's name; use letters, digits and -"),
        mistake(
            "recognise: {key: {header: Mcp-Name}}",
            ".recognise.key.header: 'Mcp-Name' is a header that carries something else; write one"
                + " such as Idempotency-Key"),
        mistake(
            "recognise: {key: {param: arguments}}",
            ".recognise.key.param: 'arguments' is a field of the protocol; write a name such as"
                + " idempotencyKey"),
        mistake(
            "recognise: {key: {meta: k}, check: {tool: find}}",
            ".recognise: has both key and check; keep key where the tool takes one, which is the"
                + " safer of the two"),
        mistake(
            "recognise: {marker: {set: id}}",
            ".recognise: has a marker and no check, so nobody would look for it; add check with the"
                + " tool that finds it"),
        mistake(
            "recognise: {check: {tool: find}}",
            ".recognise.check: says neither what is found nor what marks it; add found to it, or"
                + " marker beside it"),
        mistake(
            "recognise: {check: {found: {at: /a, equals: /b}}}",
            ".recognise.check: tool is missing; name the tool that is asked"),
        mistake(
            "recognise: {check: {tool: t, found: {at: /a, equals: /b}}}",
            ".recognise.check.tool: is the tool itself, which would do it again; name a tool that"
                + " reads"),
        mistake(
            CHECK + "found: {at: a, equals: /b}}}",
            ".recognise.check.found.at: 'a' is not a JSON pointer; begin it with a slash: /a"),
        mistake(
            CHECK + "found: {at: /a~b, equals: /b}}}",
            ".recognise.check.found.at: '/a~b' is not a JSON pointer; write ~0 for ~ and ~1 for /"),
        mistake(
            CHECK + "found: {equals: /a}}}",
            ".recognise.check.found: at is missing; say where, as in at: /items/*/id"),
        mistake(
            CHECK + "found: {at: /a, equals: '{key}'}}}",
            ".recognise.check.found: looks for the key, which nothing carries; add marker beside"
                + " check, or compare with one of the call's arguments"),
        mistake(
            CHECK + "found: {at: /a, equals: /b}, arguments: {id: '{id}'}}}",
            ".recognise.check.arguments.id: '{id}' holds {id}, which is neither a JSON pointer nor"
                + " {key}; for the argument of that name write {/id}"),
        mistake(
            CHECK + "found: {at: /a, equals: /b}, arguments: {n: .inf}}}",
            ".recognise.check.arguments.n: '.inf' is not a number in JSON; write its digits, or"
                + " quote it"),
        mistake(
            CHECK + "found: {at: /a, equals: /b}, pages: {argument: page}}}",
            ".recognise.check.pages: cursor is missing; say where, as in cursor: /nextCursor"),
        mistake(
            "recognise: {marker: {append_to: body}, check: {tool: find}}",
            ".recognise.marker: does not say as what the key is added; write it with what sets it"
                + " off, as in as: \"\\n\\n<!-- {key} -->\""),
        mistake(
            "recognise: {marker: {append_to: body, set: id, as: '{key}'}, check: {tool: find}}",
            ".recognise.marker: has both append_to and set; write append_to: ARGUMENT or set:"
                + " ARGUMENT"),
        mistake(
            "recognise: {marker: {set: id, as: ref}, check: {tool: find}}",
            ".recognise.marker.as: 'ref' holds no {key}; put {key} where the key is to stand, as in"
                + " \"ref {key}\""),
        mistake(
            "effect: read, recognise: {key: {meta: k}}",
            ".recognise: contradicts effect: read, which may be repeated anyway; keep one of the"
                + " two"),
        mistake(
            "target: [k], recognise: {key: {argument: k}}",
            ".target: names k, which carries the key that is made from the target; name the"
                + " arguments that say what the call is about"),
        mistake(
            "target: to",
            ".target: holds a single value; write a list, as in [an argument's name or a JSON"
                + " pointer]"),
        mistake("late_window: 2h", ".late_window: '2h' is too long; write at most 1h"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeNamesItsPlaceAndTheRemedy(String yaml, String error) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> tool(yaml))
        .withMessage(folder.resolve("callbound.yaml") + ":1: servers.a.tools.t" + error);
  }

  @Test
  void headerNeedsAServerWithAUrl() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () ->
                files(
                        "servers: {a: {command: a, tools: {t: {recognise: {key: {header:"
                            + " Idempotency-Key}}}}}}")
                    .load())
        .withMessageEndingWith(
            ":1: servers.a.tools.t.recognise: names the header Idempotency-Key, and a server with a"
                + " command has no headers; name argument, meta or param");
  }

  private ToolConfig tool(String yaml) {
    Config config =
        files("servers: {a: {url: 'https://a.example', tools: {t: {" + yaml + "}}}}").load();
    return Objects.requireNonNull(config.servers().get("a")).tool("t");
  }

  private ConfigFiles files(String... lines) {
    return new ConfigFiles(folder).yaml(lines);
  }

  private static Arguments way(String yaml, Recognise recognise) {
    return Arguments.of(yaml, recognise);
  }

  private static Arguments mistake(String yaml, String error) {
    return Arguments.of(yaml, error);
  }
}
