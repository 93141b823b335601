package dev.callbound.gateway.demo;

import dev.callbound.gateway.Gateway;
import dev.callbound.gateway.StdioGateway;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.gateway.door.http.CannotListenException;
import dev.callbound.testkit.FaultServer;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code callbound warm-up}: does once what the program does most, so that the build can keep what
 * the JVM learns from it ({@code -XX:AOTCacheOutput}, JEP 514). Not for people.
 */
@Command(name = "warm-up", hidden = true, header = "Train the ahead-of-time cache.")
public final class WarmUpCommand implements Callable<Integer> {
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private static final String STDIO_SESSION =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"clientInfo":{"name":"warm-up","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      """;

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  public WarmUpCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Thread.ofPlatform().daemon().name("warm-up-limit").start(this::giveUpAfterAWhile);
    Path folder = Files.createTempDirectory("callbound-warm-up");
    try (FaultServer server = FaultServer.http().start()) {
      Config config = config(folder, server);
      serveHttp(config);
      serveStdio(config);
    } finally {
      delete(folder);
    }
    return 0;
  }

  private static Config config(Path folder, FaultServer server) throws IOException {
    Path file = folder.resolve("callbound.yaml");
    Files.writeString(
        file,
        """
        servers: {warm: {url: %s, deadline: 5s}}
        listen: {address: 127.0.0.1:0}
        journal: {file: callbound.db}
        """
            .formatted(server.url()));
    return new ConfigLoader(Map.of()).load(file, null);
  }

  private static void serveHttp(Config config) throws InterruptedException {
    try (Gateway gateway = Gateway.start(config)) {
      for (Revision revision : List.of(Revision.V2025_11_25, Revision.V2026_07_28)) {
        try (McpClient client = McpClient.http(gateway.url()).revision(revision).connect()) {
          client.request("tools/list", "{}");
          client.call("read_ok", "{}");
          client.call("write_ok", "{}");
        }
      }
    } catch (CannotListenException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void serveStdio(Config config) throws InterruptedException {
    byte[] session = STDIO_SESSION.getBytes(StandardCharsets.UTF_8);
    try (StdioGateway gateway =
        StdioGateway.start(
            config, new ByteArrayInputStream(session), OutputStream.nullOutputStream())) {
      gateway.serve();
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.sorted((one, other) -> other.compareTo(one)).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  /** A build must not hang on it. */
  private void giveUpAfterAWhile() {
    try {
      Thread.sleep(LONGEST);
    } catch (InterruptedException e) {
      return;
    }
    PrintWriter err = Objects.requireNonNull(spec, "picocli sets it").commandLine().getErr();
    err.println("callbound: no AOT cache was made: the warm-up took longer than " + LONGEST);
    err.flush();
    Runtime.getRuntime().halt(1);
  }
}
