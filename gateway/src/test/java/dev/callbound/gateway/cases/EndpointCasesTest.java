package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.gateway.config.ConfigException;
import dev.callbound.testkit.client.McpClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a server may lead: a slash further, yes; anywhere else, no. */
class EndpointCasesTest {
  private static final String TOKEN = "headers: {Authorization: \"Bearer not-for-others\"}";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {307, 308})
  void aSlashIsFollowedWithMethodAndBody(int status) throws Exception {
    Faults behind = Faults.http(folder, "fault");
    try (Listener front = Listener.slashFrontOf(behind.url(), status);
        World world =
            World.configured(
                folder,
                "servers: {fault: {url: \"http://127.0.0.1:"
                    + front.port()
                    + "/mcp\", "
                    + TOKEN
                    + "}}",
                List.of(behind))) {
      McpClient client = world.client();

      assertThat(World.outcome(client.call("read_ok", arguments("r")))).isEqualTo("ok");
      assertThat(World.outcome(client.call("write_ok", arguments("w")))).isEqualTo("ok");
      assertThat(behind.ledger().effectsMarked("w")).hasSize(1);
      assertThat(behind.ledger().callsMarked("w")).hasSize(1);
      assertThat(world.attempts(world.recorded("write_ok"))).hasSize(1);
      assertThat(front.arrived()).contains(new Listener.Arrived("POST", "/mcp/", true));
    }
  }

  @Test
  void threeRedirectsAreFollowedAndAFourthIsNot() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      McpClient client = world.client();
      redirect(world, 3, 307, "/mcp");
      assertThat(World.outcome(client.call("write_ok", arguments("three")))).isEqualTo("ok");
      redirect(world, 4, 307, "/mcp");
      JsonNode four = client.call("write_ok", arguments("four"));
      redirect(world, -1, 308, "/mcp");
      JsonNode loop = client.call("write_ok", arguments("loop"));

      assertThat(world.server().ledger().effectsMarked("three")).hasSize(1);
      assertUnsafe(world, "four", four);
      assertUnsafe(world, "loop", loop);
    }
  }

  @Test
  void anyOtherRedirectIsRefusedAndNothingArrivesThere() throws Exception {
    try (Listener elsewhere = Listener.forbidden();
        World world = World.of(folder, Way.HTTP, TOKEN, "")) {
      McpClient client = world.client();
      String port = ":" + elsewhere.port();
      List<String> places =
          List.of(
              "http://127.0.0.1" + port + "/mcp",
              "//127.0.0.1" + port + "/mcp",
              "http://localhost" + port + "/mcp",
              "http://localhost:" + world.server().url().getPort() + "/mcp",
              "http://you@127.0.0.1:" + world.server().url().getPort() + "/mcp",
              "https://127.0.0.1:" + world.server().url().getPort() + "/mcp",
              "http://169.254.169.254/latest/meta-data/",
              "http://[fd00:ec2::254]/",
              "file:///etc/passwd",
              "http://127.0.0.1:99999999/",
              // The same place again, and again.
              "",
              "?again");
      for (int i = 0; i < places.size(); i++) {
        redirect(world, -1, i % 2 == 0 ? 307 : 308, places.get(i));
        assertUnsafe(world, "p" + i, client.call("write_ok", arguments("p" + i)));
      }
      for (int status : List.of(301, 302, 303)) {
        redirect(world, -1, status, "/mcp");
        assertUnsafe(world, "s" + status, client.call("write_ok", arguments("s" + status)));
      }
      JsonNode read =
          client.call("redirect", arguments("read", "\"location\": \"" + places.getFirst() + "\""));
      assertThat(World.outcome(read)).isEqualTo("stopped/unsafe_endpoint");
      assertThat(world.server().ledger().callsMarked("read")).hasSize(1);
      assertThat(elsewhere.arrived()).isEmpty();
      world.server().control("{\"faults\": []}");
      assertThat(World.outcome(client.call("read_ok", arguments("next")))).isEqualTo("ok");
    }
  }

  @Test
  void aNameThatLeadsToThisMachineNeedsLeave() throws Exception {
    try (Listener listener = Listener.forbidden()) {
      // A name like any other, which happens to resolve to a private address.
      String name = InetAddress.getLocalHost().getHostName();
      String entry = "url: \"http://" + name + ":" + listener.port() + "/mcp\", " + TOKEN;
      try (World world = World.configured(folder, "servers: {one: {" + entry + "}}", List.of())) {
        JsonNode answer = world.client().call("write_ok", "{}");

        assertThat(World.outcome(answer)).isEqualTo("stopped/unsafe_endpoint");
        assertThat(World.text(answer)).contains(name, "does not allow");
        assertThat(World.outcome(world.recorded("write_ok"))).isEqualTo("stopped/unsafe_endpoint");
        assertThat(listener.arrived()).isEmpty();
      }
      String allowed = entry + ", allow_addresses: [" + addresses(name) + "]";
      try (World world = World.configured(folder, "servers: {one: {" + allowed + "}}", List.of())) {
        // It answers nothing of use, but it has been reached, or may not be bound to that address.
        assertThat(World.outcome(world.client().call("write_ok", "{}")))
            .isNotEqualTo("stopped/unsafe_endpoint");
      }
    }
  }

  private static String addresses(String name) throws UnknownHostException {
    return Arrays.stream(InetAddress.getAllByName(name))
        .map(address -> '"' + address.getHostAddress() + '"')
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://169.254.169.254/latest",
        "http://[fd00:ec2::254]/mcp",
        "file:///etc/passwd",
        "http://100.100.100.200/mcp"
      })
  void aForbiddenAddressInTheConfigurationIsAnError(String url) {
    assertThatThrownBy(
            () -> World.configured(folder, "servers: {one: {url: \"" + url + "\"}}", List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("servers.one.url");
  }

  private static void redirect(World world, int times, int status, String location)
      throws Exception {
    world
        .server()
        .control(
            "{\"faults\": [{\"match\": \"tools/call:write_ok\", \"times\": "
                + times
                + ", \"steps\": [{\"do\": \"redirect\", \"status\": "
                + status
                + ", \"location\": \""
                + location
                + "\"}]}]}");
  }

  private static void assertUnsafe(World world, String marker, JsonNode answer) throws Exception {
    assertThat(World.outcome(answer)).as(marker).isEqualTo("stopped/unsafe_endpoint");
    assertThat(World.facts(answer).path("attempts").asInt()).as(marker).isEqualTo(1);
    assertThat(World.text(answer)).doesNotContain("meta-data", "passwd");
    assertThat(world.server().ledger().effectsMarked(marker)).as(marker).isEmpty();
    assertThat(World.outcome(world.recorded("write_ok"))).isEqualTo("stopped/unsafe_endpoint");
  }
}
