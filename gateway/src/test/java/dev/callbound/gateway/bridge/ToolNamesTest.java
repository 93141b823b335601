package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.bridge.ToolNames.Meaning;
import dev.callbound.gateway.config.Prefix;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ToolNamesTest {
  @Test
  void aNameOfOneServerStaysAsItIs() {
    ToolNames names = names(Map.of("one", Set.of("read"), "two", Set.of("write")));

    assertThat(names.exposed("one", "read")).isEqualTo("read");
    assertThat(names.meaning("read")).isEqualTo(new Meaning.Tool("one", "read"));
    assertThat(names.meaning("one__read")).isEqualTo(new Meaning.Tool("one", "read"));
  }

  @Test
  void aNameOfTwoServersIsQualifiedAndAloneAmbiguous() {
    ToolNames names = names(Map.of("one", Set.of("read"), "two", Set.of("read")));

    assertThat(names.exposed("one", "read")).isEqualTo("one__read");
    assertThat(names.exposed("two", "read")).isEqualTo("two__read");
    assertThat(names.meaning("read"))
        .isEqualTo(new Meaning.Ambiguous(List.of("one__read", "two__read")));
  }

  @Test
  void aServerThatIsNotConfiguredAnyMoreCollidesWithNothing() {
    ToolNames names = names(Map.of("one", Set.of("read"), "gone", Set.of("read")));

    assertThat(names.exposed("one", "read")).isEqualTo("read");
  }

  @Test
  void aToolThatIsOfferedNoMoreStillCollides() {
    ToolNames names = names(Map.of("one", Set.of("read"), "two", Set.of("read")));
    names.see("two", List.of("other"));

    assertThat(names.exposed("one", "read")).isEqualTo("one__read");
  }

  @Test
  void onlyNewToolsAreReported() {
    ToolNames names = names(Map.of("one", Set.of("read")));

    assertThat(names.see("one", List.of("read", "write"))).containsExactly("write");
    assertThat(names.see("one", List.of("read", "write"))).isEmpty();
    assertThat(names.see("nobody", List.of("read"))).isEmpty();
  }

  @Test
  void namesAreComparedAsClientsCleanThemUp() {
    ToolNames names = names(Map.of("one", Set.of("a.b"), "two", Set.of("a_b")));

    assertThat(names.exposed("one", "a.b")).isEqualTo("one__a.b");
    assertThat(names.exposed("two", "a_b")).isEqualTo("two__a_b");
    assertThat(names.meaning("a.b")).isEqualTo(new Meaning.Tool("one", "a.b"));
  }

  @Test
  void aLongNameEndsInAHashOfTheWhole() {
    String shared = "t".repeat(64);
    ToolNames names =
        names(Map.of("one", Set.of(shared + "a", shared + "b"), "two", Set.of(shared)));
    String first = names.exposed("one", shared + "a");
    String second = names.exposed("one", shared + "b");

    assertThat(first).hasSize(64).startsWith("one__ttt").matches(".*_[0-9a-f]{8}");
    assertThat(second).hasSize(64).isNotEqualTo(first);
    assertThat(names.meaning(first)).isEqualTo(new Meaning.Tool("one", shared + "a"));
    assertThat(names.meaning(second)).isEqualTo(new Meaning.Tool("one", shared + "b"));
  }

  @Test
  void aNameThatLooksQualifiedIsQualifiedItself() {
    ToolNames names =
        names(Map.of("one", Set.of("two__read", "read"), "two", Set.of("read", "two__read")));

    assertThat(names.exposed("one", "two__read")).isEqualTo("one__two__read");
    assertThat(names.exposed("two", "two__read")).isEqualTo("two__two__read");
    assertThat(names.meaning("two__read")).isEqualTo(new Meaning.Tool("two", "read"));
    assertThat(names.exposed("one", "three__read")).isEqualTo("three__read");
  }

  @Test
  void aPrefixThatIsAlwaysWantedIsAlwaysThere() {
    Map<String, Prefix> servers = new LinkedHashMap<>();
    servers.put("one", Prefix.ALWAYS);
    servers.put("two", Prefix.COLLISIONS);
    ToolNames names = new ToolNames(servers, Map.of("one", Set.of("read"), "two", Set.of("write")));

    assertThat(names.exposed("one", "read")).isEqualTo("one__read");
    assertThat(names.exposed("two", "write")).isEqualTo("write");
    assertThat(names.meaning("read")).isEqualTo(new Meaning.Tool("one", "read"));
  }

  @Test
  void whatWasNeverSeenIsTakenAtItsQualifiedWordOnly() {
    ToolNames names = names(Map.of());

    assertThat(names.meaning("one__read")).isEqualTo(new Meaning.Tool("one", "read"));
    assertThat(names.meaning("read")).isEqualTo(new Meaning.Nothing());
    assertThat(names.meaning("nobody__read")).isEqualTo(new Meaning.Nothing());
    assertThat(names.meaning("one__")).isEqualTo(new Meaning.Nothing());
    assertThat(names.meaning("__read")).isEqualTo(new Meaning.Nothing());
  }

  private static ToolNames names(Map<String, Set<String>> seen) {
    Map<String, Prefix> servers = new LinkedHashMap<>();
    servers.put("one", Prefix.COLLISIONS);
    servers.put("two", Prefix.COLLISIONS);
    return new ToolNames(servers, seen);
  }
}
