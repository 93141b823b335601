package dev.callbound.gateway.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.Gateway;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.gateway.config.ListenAddress;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunState;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.RawResponse;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.wire.HttpHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A gateway in front of misbehaving servers, and what a case asks about it afterwards.
 *
 * <p>The gateway runs in this process, with a journal of its own; its clients come over HTTP.
 */
final class World implements AutoCloseable {
  /** How a server is reached. */
  enum Way {
    HTTP,
    STDIO
  }

  private final Path folder;
  private Config config;
  private final List<McpClient> closing = new ArrayList<>();
  private final List<Faults> servers = new ArrayList<>();
  private Gateway gateway;

  private World(Path folder, Config config, List<Faults> servers) throws Exception {
    this.folder = folder;
    this.config = config;
    this.servers.addAll(servers);
    this.gateway = Gateway.start(config);
  }

  /**
   * A gateway in front of one server.
   *
   * @param server what the configuration says about the server beside its address, as YAML in
   *     braces' style: {@code "deadline: 1s, tools: {…}"}; empty for nothing
   * @param top the configuration's other top-level keys as YAML; empty for nothing
   */
  static World of(Path folder, Way way, String server, String top) throws Exception {
    Faults faults =
        switch (way) {
          case HTTP -> Faults.http(folder, "fault");
          case STDIO -> Faults.stdio(folder, "fault");
        };
    return of(folder, List.of(faults), server, top);
  }

  /** A gateway in front of several servers, each configured alike. */
  static World of(Path folder, List<Faults> servers, String server, String top) throws Exception {
    return started(folder, file(folder, servers, server, top), servers);
  }

  /** A gateway with just this configuration; ends the servers with itself. */
  static World configured(Path folder, String yaml, List<Faults> servers) throws Exception {
    return started(folder, written(folder, yaml), servers);
  }

  /** A gateway that takes this file of another program; ends the servers with itself. */
  static World taken(Path folder, String json, List<Faults> servers) throws Exception {
    Path file = Files.writeString(Files.createTempFile(folder, "mcp", ".json"), json);
    return started(folder, new ConfigLoader(Map.of()).load(null, file), servers);
  }

  private static World started(Path folder, Path file, List<Faults> servers) throws Exception {
    return started(folder, new ConfigLoader(Map.of()).load(file, null), servers);
  }

  private static World started(Path folder, Config loaded, List<Faults> servers) throws Exception {
    return new World(folder, here(folder, loaded), servers);
  }

  private static Config here(Path folder, Config loaded) {
    return loaded
        .with(loaded.listen().at(ListenAddress.parse("127.0.0.1:0")))
        .with(loaded.journal().in(folder.resolve("callbound.db")));
  }

  /** The configuration file of such a gateway, for one that runs in a process of its own. */
  static Path file(Path folder, List<Faults> servers, String server, String top)
      throws IOException {
    StringBuilder yaml = new StringBuilder("servers:\n");
    for (Faults faults : servers) {
      yaml.append("  ").append(faults.name()).append(": {").append(faults.entry());
      yaml.append(server.isEmpty() ? "" : ", " + server).append("}\n");
    }
    return written(folder, yaml.append(top).append('\n').toString());
  }

  private static Path written(Path folder, String yaml) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "callbound", ".yaml"), yaml);
  }

  /** The only server. */
  Faults server() {
    return servers.getFirst();
  }

  Gateway gateway() {
    return gateway;
  }

  Path folder() {
    return folder;
  }

  /** A client of the newest revision with sessions. */
  McpClient client() throws Exception {
    return client(Revision.V2025_11_25);
  }

  McpClient client(Revision revision) throws Exception {
    return connect(McpClient.http(gateway.url()).revision(revision));
  }

  /** Connects, and lists the tools once: a case measures its call, not how a server starts. */
  McpClient connect(McpClient.Builder builder) throws Exception {
    McpClient client = builder.connect();
    client.request("tools/list", "{}");
    closing.add(client);
    return client;
  }

  /** Opens a run as a program does, with this JSON object, and returns what it is told. */
  JsonNode openRun(McpClient client, String wishes) {
    RawResponse response = postRuns(client, "", wishes);
    assertThat(response.status()).as(response::text).isEqualTo(201);
    return response.json();
  }

  /** Cancels a run as a program does. */
  void cancelRun(McpClient client, String id) {
    assertThat(postRuns(client, "/" + id + "/cancel", "{}").status()).isEqualTo(200);
  }

  private static RawResponse postRuns(McpClient client, String path, String json) {
    return client.raw(
        "POST",
        "/v1/runs" + path,
        HttpHeaders.of("Content-Type", "application/json"),
        json.getBytes(UTF_8));
  }

  /** Stops the gateway and starts another on the same journal, which is told something else. */
  void restart(String server, String top) throws Exception {
    Path file = file(folder, servers, server, top);
    config = here(folder, new ConfigLoader(Map.of()).load(file, null));
    restart();
  }

  /** Stops the gateway and starts another on the same journal. */
  void restart() throws Exception {
    gateway.close();
    gateway = Gateway.start(config);
  }

  /** The facts that came with an answer that is not ok. */
  static JsonNode facts(JsonNode response) {
    JsonNode result = response.path("result");
    assertThat(result.path("isError").asBoolean()).as("isError of %s", response).isTrue();
    return result.path("_meta").path("dev.callbound/outcome");
  }

  /** The outcome of an answer: {@code ok}, {@code stopped/REASON} or {@code unknown/REASON}. */
  static String outcome(JsonNode response) {
    JsonNode result = response.path("result");
    if (result.isMissingNode()) {
      return "error/" + response.path("error").path("code").asInt();
    }
    JsonNode facts = result.path("_meta").path("dev.callbound/outcome");
    if (facts.isMissingNode()) {
      return result.path("isError").asBoolean() ? "stopped/tool_error" : "ok";
    }
    String status = facts.path("status").asText();
    return facts.has("reason") ? status + "/" + facts.path("reason").asText() : status;
  }

  /** The text that a model reads. */
  static String text(JsonNode response) {
    return response.path("result").path("content").path(0).path("text").asText();
  }

  /** The record of the newest call of a tool, once it has ended. */
  CallRecord recorded(String tool) throws Exception {
    return recorded(tool, 1).getLast();
  }

  /** The records of all calls of a tool, oldest first, once so many have ended. */
  List<CallRecord> recorded(String tool, int calls) throws Exception {
    assertThat(Eventually.holds(() -> ended(tool).size() >= calls))
        .as("%d calls of %s are recorded", calls, tool)
        .isTrue();
    return ended(tool);
  }

  /** Whether an attempt at the tool has begun. */
  boolean begun(String tool) {
    return calls(tool).stream().anyMatch(call -> !attempts(call).isEmpty());
  }

  /** Whether a call of the tool is under way, and waits to be tried again. */
  boolean waits(String tool) {
    return calls(tool).stream()
        .filter(call -> call.ending() == null)
        .flatMap(call -> attempts(call).stream())
        .anyMatch(attempt -> attempt.end() != null);
  }

  /**
   * The record of the newest call with this marker among its arguments, once it has ended; needs
   * {@code record: full}.
   */
  CallRecord marked(String tool, String marker) throws Exception {
    assertThat(Eventually.holds(() -> !ended(tool, marker).isEmpty()))
        .as("%s marked %s is recorded", tool, marker)
        .isTrue();
    return ended(tool, marker).getLast();
  }

  private List<CallRecord> ended(String tool, String marker) {
    // What a call was made with comes with a single call, not with a list of them.
    return ended(tool).stream()
        .map(call -> gateway.journal().call(call.id()).orElseThrow())
        .filter(call -> call.arguments() != null && call.arguments().contains('"' + marker + '"'))
        .toList();
  }

  private List<CallRecord> ended(String tool) {
    return calls(tool).stream().filter(call -> call.ending() != null).toList();
  }

  private List<CallRecord> calls(String tool) {
    // Asked of the writer: what was handed in before, which is all that was answered, is on disk.
    ((JournalStore) gateway.journal()).processesLeft();
    return gateway.journal().runs(EnumSet.allOf(RunState.class), 100).stream()
        .flatMap(run -> gateway.journal().callsOf(run.id(), 1_000).stream())
        .filter(call -> call.tool().equals(tool))
        .sorted(Comparator.comparing(CallRecord::id))
        .toList();
  }

  /** The recorded outcome, in the words of {@link #outcome}. */
  static String outcome(CallRecord call) {
    Ending ending = Objects.requireNonNull(call.ending());
    return ending.reason() == null
        ? ending.status().code()
        : ending.status().code() + "/" + ending.reason().code();
  }

  List<AttemptRecord> attempts(CallRecord call) {
    return gateway.journal().attemptsOf(call.id());
  }

  /** The only attempt of a call that had one. */
  AttemptRecord attempt(CallRecord call) {
    List<AttemptRecord> attempts = attempts(call);
    assertThat(attempts).as("attempts of %s", call).hasSize(1);
    return attempts.getFirst();
  }

  @Override
  public void close() {
    for (McpClient each : closing.reversed()) {
      each.close();
    }
    gateway.close();
    for (Faults faults : servers) {
      faults.close();
    }
  }
}
