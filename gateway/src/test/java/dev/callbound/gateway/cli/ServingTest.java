package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.FaultServer;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} and {@code stdio} as processes. */
class ServingTest {
  @TempDir Path folder;
  private FaultServer faults;

  @BeforeEach
  void configure() throws IOException {
    faults = FaultServer.http().start();
    Files.writeString(
        folder.resolve("callbound.yaml"),
        """
        servers: {faults: {url: %s, deadline: 20s}}
        listen: {address: 127.0.0.1:0}
        journal: {file: callbound.db}
        """
            .formatted(faults.url()));
  }

  @AfterEach
  void stopTheServer() {
    faults.close();
  }

  @Test
  void serveSaysWhereItIsServesAndStopsOnTerm() throws Exception {
    try (ProgramProcess program = ProgramProcess.start(folder, "serve")) {
      String line = program.line();
      assertThat(line).matches("callbound: http://127\\.0\\.0\\.1:\\d+/mcp");
      try (McpClient client = connect(line)) {
        assertThat(client.call("write_ok", "{}").at("/result/structuredContent/ok").asBoolean())
            .isTrue();
      }

      program.terminate();

      assertThat(program.exitCode()).isZero();
      assertThat(program.line()).isEmpty();
      assertThat(program.err()).contains("INFO  Gateway started url=http", "INFO  Gateway stopped");
    }
    Invocation runs = Invocation.of("runs", "--journal", folder.resolve("callbound.db").toString());
    assertThat(runs.out()).contains("done");
  }

  @Test
  void aSecondSignalEndsItAtOnce() throws Exception {
    try (ProgramProcess program = ProgramProcess.start(folder, "serve");
        McpClient client = connect(program.line())) {
      PendingCall hanging = client.begin("read_hang", "{}");
      assertThat(Eventually.holds(() -> !faults.ledger().callsOf("read_hang").isEmpty())).isTrue();

      program.terminate();
      assertThat(Eventually.holds(() -> program.err().contains("stopping"))).isTrue();
      program.terminate();

      assertThat(program.exitCode()).isEqualTo(143);
      assertThat(hanging).isNotNull();
    }
  }

  @Test
  void aPortInUseIsNamedWithAWayOut() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ProgramProcess program =
            ProgramProcess.start(
                folder, "serve", "--listen", "127.0.0.1:" + taken.getLocalPort())) {
      assertThat(program.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(program.line()).isEmpty();
      assertThat(program.err())
          .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort(), "--listen")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void aJournalInUseIsNamedWithItsHolder() throws Exception {
    try (ProgramProcess first = ProgramProcess.start(folder, "serve")) {
      assertThat(first.line()).startsWith("callbound: ");
      try (ProgramProcess second = ProgramProcess.start(folder, "serve")) {
        assertThat(second.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(second.err())
            .contains("callbound.db", "pid " + first.process().pid())
            .doesNotContain("\tat ");
      }
    }
  }

  @Test
  void stdioWritesNothingButProtocolAndEndsWithItsClient() throws Exception {
    List<String> command =
        ProgramProcess.command(
            "stdio", "--config", folder.resolve("callbound.yaml").toString(), "--log-level=trace");
    try (McpClient client = McpClient.stdio(command).directory(folder).connect()) {
      assertThat(client.call("read_ok", "{}").at("/result/content/0/text").asText())
          .isEqualTo("ok");
      assertThat(client.noise()).isEmpty();

      client.closeInput();

      assertThat(client.process().waitFor()).isZero();
    }
  }

  private static McpClient connect(String line) throws InterruptedException {
    return McpClient.http(URI.create(line.substring("callbound: ".length()))).connect();
  }
}
