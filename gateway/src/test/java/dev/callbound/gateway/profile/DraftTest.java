package dev.callbound.gateway.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Effect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DraftTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 12, 1);

  @TempDir Path folder;

  @Test
  void draftSaysWhatIsKnownAndAsksForTheRest() {
    String draft =
        Draft.of(
            "crm",
            "2.1",
            TODAY,
            Map.of(
                "find", tool(Effect.READ, "annotations", "{}"),
                "send", tool(Effect.WRITE, "default", "{\"to\":{},\"request_id\":{}}")));

    assertThat(draft)
        .isEqualTo(
            """
            # A draft. Look at every line before you trust it: docs/profiles.md says how.
            source: where the server's tools are published
            version: "2.1"
            checked: 2026-12-01
            servers:
              - {name: "crm"}
            # How its errors tell of a status of the provider behind it, if they do, as in:
            # statuses:
            #   - {text: 'HTTP ([45]\\d\\d)'}
            tools:
              find:
                effect: read # by annotations
              send:
                effect: write # by default
                # Does it remember request_id? Then: recognise: {key: {argument: "request_id"}}
                # Are the same arguments twice two things? Then: repeats: true
                # Could a read show that it was done? Then: recognise: {check: ...}
            """);
  }

  @Test
  void draftLoadsWhateverTheServerCallsItsTools() throws IOException {
    Map<String, Draft.Tool> tools =
        Map.of(
            "on", tool(Effect.WRITE, "default", "{\"client_id\\n#x\":{}}"),
            "a: b", tool(Effect.WRITE, "default", "{}"),
            "${HOME}", tool(Effect.READ, "annotations", "{}"),
            "x\ny", tool(Effect.READ, "name", "{}"),
            "'\"", tool(Effect.READ, "name", "{}"));

    Profile profile = load(Draft.of("a: \"b\"\n# ${X}", null, TODAY, tools));

    assertThat(profile.tools().keySet())
        .containsExactlyInAnyOrder("on", "a: b", "${HOME}", "x\ny", "'\"");
    assertThat(profile.servers().getFirst().name()).isEqualTo("a: \"b\"\n# ${X}");
  }

  @Test
  void serverWithoutToolsHasADraftToo() throws IOException {
    assertThat(load(Draft.of(null, null, TODAY, Map.of())).tools()).isEmpty();
  }

  private Profile load(String draft) throws IOException {
    Files.writeString(folder.resolve("draft.yaml"), draft);
    Path config =
        Files.writeString(
            folder.resolve("callbound.yaml"), "servers: {a: {command: a, profile: draft.yaml}}");
    Config loaded = new ConfigLoader(Map.of("HOME", "/h")).load(config, null);
    ServerConfig server = Objects.requireNonNull(loaded.servers().get("a"));
    return server.profileFor(null, null).orElseThrow();
  }

  private static Draft.Tool tool(Effect effect, String why, String properties) {
    return new Draft.Tool(
        Json.of("{\"inputSchema\":{\"properties\":" + properties + "}}"), effect, why);
  }
}
