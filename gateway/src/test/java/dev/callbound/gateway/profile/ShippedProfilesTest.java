package dev.callbound.gateway.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.config.Profiles;
import dev.callbound.gateway.config.ToolBounds;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds every shipped profile to the list of tools that its server publishes: NAME.json beside this
 * class, in short form. {@code conformance/profiles/run} holds the lists of those servers that npm
 * has to the servers themselves.
 */
class ShippedProfilesTest {
  static Stream<Profile> shipped() {
    return Profiles.shipped().stream();
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void profileKnowsExactlyTheToolsThatArePublished(Profile profile) throws IOException {
    assertThat(profile.tools().keySet())
        .containsExactlyInAnyOrderElementsOf(published(profile).keySet());
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void whatItSaysOfThemCanWork(Profile profile) throws IOException {
    Map<String, Lint.Known> tools = new TreeMap<>();
    published(profile)
        .forEach(
            (name, tool) -> {
              ToolConfig bounds = ToolBounds.STANDARD.of(name, profile);
              tools.put(name, new Lint.Known(tool, effect(bounds), bounds));
            });

    assertThat(Lint.of(tools)).isEmpty();
  }

  /** A profile may know that a tool reads where its server says nothing, never against its word. */
  @ParameterizedTest
  @MethodSource("shipped")
  void noToolReadsWhoseServerSaysThatItWrites(Profile profile) throws IOException {
    published(profile)
        .forEach(
            (name, tool) -> {
              if (Json.FALSE.equals(tool.at("annotations", "readOnlyHint"))) {
                assertThat(effect(ToolBounds.STANDARD.of(name, profile)))
                    .as(name)
                    .isEqualTo(Effect.WRITE);
              }
            });
  }

  private static Effect effect(ToolConfig bounds) {
    return Objects.requireNonNull(bounds.effect());
  }

  private static Map<String, Json> published(Profile profile) throws IOException {
    Map<String, Json> tools = new TreeMap<>();
    try (InputStream in = ShippedProfilesTest.class.getResourceAsStream(profile.name() + ".json")) {
      byte[] bytes = Objects.requireNonNull(in, profile.name()).readAllBytes();
      for (Json tool :
          Json.of(new String(bytes, java.nio.charset.StandardCharsets.UTF_8)).elements()) {
        tools.put(Objects.requireNonNull(tool.textAt("name")), tool);
      }
    }
    return tools;
  }
}
