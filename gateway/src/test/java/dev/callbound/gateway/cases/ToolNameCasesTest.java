package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several servers behind one door, whose tools have the same names, or nearly. */
class ToolNameCasesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"HTTP, false", "HTTP, true", "STDIO, false"})
  void aCallGoesToTheServerThatItsNameSays(Way way, boolean reversed) throws Exception {
    Faults alpha = server(way, "alpha");
    Faults beta = server(way, "beta");
    List<Faults> servers = reversed ? List.of(beta, alpha) : List.of(alpha, beta);
    try (World world = World.of(folder, servers, "", "")) {
      McpClient client = world.client();

      assertThat(names(client)).contains("alpha__write_ok", "beta__write_ok");
      assertThat(names(client)).doesNotContain("write_ok").doesNotHaveDuplicates();
      JsonNode answer = client.call("alpha__write_ok", arguments("m"));
      assertThat(World.outcome(answer)).isEqualTo("ok");
      assertThat(alpha.ledger().effectsMarked("m")).hasSize(1);
      assertThat(beta.ledger().calls()).isEmpty();
      assertThat(world.recorded("write_ok").server()).isEqualTo("alpha");

      JsonNode ambiguous = client.call("write_ok", arguments("n"));
      assertThat(World.outcome(ambiguous)).isEqualTo("error/-32602");
      assertThat(ambiguous.path("error").path("message").asText())
          .contains("write_ok", "alpha__write_ok", "beta__write_ok");
      assertThat(alpha.ledger().calls()).hasSize(1);
      assertThat(beta.ledger().calls()).isEmpty();
    }
  }

  @Test
  void boundsAreThoseOfTheServerAndItsTool() throws Exception {
    Faults alpha = Faults.http(folder, "alpha");
    Faults beta = Faults.http(folder, "beta");
    String yaml =
        "servers:\n  alpha: {"
            + alpha.entry()
            + ", tools: {read_slow: {deadline: 300ms, attempts: 1}}}\n  beta: {"
            + beta.entry()
            + "}\n";
    try (World world = World.configured(folder, yaml, List.of(alpha, beta))) {
      McpClient client = world.client();
      String slow = arguments("slow", "\"delay_ms\": 900");

      assertThat(World.outcome(client.call("alpha__read_slow", slow)))
          .isEqualTo("stopped/deadline_exceeded");
      assertThat(World.outcome(client.call("beta__read_slow", slow))).isEqualTo("ok");
    }
  }

  @Test
  void namesStayWhenAServerIsDownAfterARestart() throws Exception {
    Faults alpha = Faults.http(folder, "alpha");
    Faults beta = Faults.http(folder, "beta");
    try (World world = World.of(folder, List.of(alpha, beta), "", "")) {
      List<String> before = names(world.client());
      beta.close();
      world.restart();
      McpClient client = world.client();

      assertThat(names(client)).as("from the last lists known").isEqualTo(before);
      assertThat(World.outcome(client.call("write_ok", arguments("m")))).isEqualTo("error/-32602");
      assertThat(World.outcome(client.call("alpha__write_ok", arguments("m")))).isEqualTo("ok");
      assertThat(World.outcome(client.call("beta__read_ok", "{}")))
          .isEqualTo("stopped/retries_exhausted");
      assertThat(alpha.ledger().effectsMarked("m")).hasSize(1);
    }
  }

  @Test
  void namesThatCollideOnlyAfterCleaningUpAreToldApart() throws Exception {
    String shared = "a".repeat(70);
    try (NamedTools one = NamedTools.named("a.b", shared + "_one", "mine");
        NamedTools two = NamedTools.named("a_b", shared + "_two", "one__mine");
        World world = World.configured(folder, yaml(one, two), List.of())) {
      McpClient client = world.client();
      List<String> names = names(client);

      assertThat(names).contains("one__a.b", "two__a_b", "mine").hasSize(6);
      assertThat(names.stream().map(ToolNameCasesTest::cleaned).toList())
          .doesNotHaveDuplicates()
          .allSatisfy(name -> assertThat(name).hasSizeLessThanOrEqualTo(64));
      for (String name : names) {
        assertThat(World.outcome(client.call(name, "{}"))).as(name).isEqualTo("ok");
      }
      assertThat(one.calls()).containsExactlyInAnyOrder("a.b", shared + "_one", "mine");
      assertThat(two.calls()).containsExactlyInAnyOrder("a_b", shared + "_two", "one__mine");
    }
  }

  @Test
  void aNameThatLooksLikeAnotherServersToolReachesItsOwn() throws Exception {
    try (NamedTools one = NamedTools.named("save", "two__save");
        NamedTools two = NamedTools.named("save");
        World world = World.configured(folder, yaml(one, two), List.of())) {
      McpClient client = world.client();

      assertThat(names(client))
          .containsExactlyInAnyOrder("one__save", "one__two__save", "two__save");
      assertThat(World.outcome(client.call("two__save", "{}"))).isEqualTo("ok");
      assertThat(two.calls()).containsExactly("save");
      assertThat(one.calls()).isEmpty();
      assertThat(World.outcome(client.call("one__two__save", "{}"))).isEqualTo("ok");
      assertThat(one.calls()).containsExactly("two__save");
    }
  }

  private Faults server(Way way, String name) throws Exception {
    return way == Way.HTTP ? Faults.http(folder, name) : Faults.stdio(folder, name);
  }

  private static String yaml(NamedTools one, NamedTools two) {
    return "servers:\n  one: {" + one.entry() + "}\n  two: {" + two.entry() + "}\n";
  }

  /** The servers' tools; the gateway's own have names that nobody can take. */
  private static List<String> names(McpClient client) throws Exception {
    List<String> names = new ArrayList<>();
    client
        .request("tools/list", "{}")
        .path("result")
        .path("tools")
        .forEach(tool -> names.add(tool.path("name").asText()));
    names.removeIf(name -> name.startsWith("callbound_"));
    return names;
  }

  /** As clients make a name fit. */
  private static String cleaned(String name) {
    return name.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
