package dev.callbound.conformance;

import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * One whole session of the MCP Java SDK's client, against one of two servers that others wrote.
 *
 * <p>Arguments: {@code java|java-2026 everything|filesystem TARGET FOLDER}. TARGET is the URL of an
 * endpoint, or a command to start, which is then spoken to over stdio. FOLDER is one that the
 * filesystem server may write to. Prints a line per step; ends with 1 at the first that fails.
 */
public final class Session {

  private final Peer peer;

  private Session(Peer peer) {
    this.peer = peer;
  }

  public static void main(String[] arguments) {
    var generation = arguments[0];
    var server = arguments[1];
    var target = arguments[2];
    var folder = arguments[3];
    try {
      var peer =
          generation.equals("java-2026")
              ? new ModernPeer(target)
              : new LegacyPeer(transport(target));
      System.out.println("ok connect");
      var session = new Session(peer);
      if (server.equals("everything")) {
        session.everything();
      } else {
        session.filesystem(folder);
      }
      session.step("close", peer::close);
      System.exit(0); // The SDK's threads are not daemons.
    } catch (RuntimeException | AssertionError failure) {
      failure.printStackTrace();
      System.exit(1);
    }
  }

  private static McpClientTransport transport(String target) {
    if (target.startsWith("http")) {
      var url = URI.create(target);
      return HttpClientStreamableHttpTransport.builder(url.resolve("/").toString())
          .endpoint(url.getPath())
          .build();
    }
    var command = Arrays.asList(target.split(" "));
    var parameters =
        ServerParameters.builder(command.get(0)).args(command.subList(1, command.size())).build();
    var transport = new StdioClientTransport(parameters, McpJsonDefaults.getMapper());
    transport.setStdErrorHandler(line -> {});
    return transport;
  }

  private void everything() {
    step("tools", () -> check(peer.tools().contains("echo"), "no tool echo"));
    step(
        "call",
        () -> {
          equal("Echo: grüß dich ✓", peer.call("echo", Map.of("message", "grüß dich ✓")));
          contains(" 5", peer.call("get-sum", Map.of("a", 2, "b", 3)));
        });
    step("failing call", () -> fails("get-sum", Map.of("a", "two")));
    step("unknown tool", () -> fails("no-such-tool", Map.of()));
    step(
        "progress",
        () -> {
          List<Double> seen = Collections.synchronizedList(new ArrayList<>());
          peer.callWithProgress(
              "trigger-long-running-operation", Map.of("duration", 1, "steps", 4), seen::add);
          // The result may overtake the last report inside the SDK.
          check(seen.size() >= 3, "saw only the reports " + seen);
          equal(List.of(1.0, 2.0, 3.0), List.copyOf(seen).subList(0, 3));
        });
    step(
        "prompts",
        () -> {
          check(peer.prompts().contains("args-prompt"), "no prompt args-prompt");
          contains("Oslo", peer.prompt("args-prompt", Map.of("city", "Oslo")));
        });
    step(
        "completion",
        () ->
            equal(List.of("Engineering"), peer.complete("completable-prompt", "department", "E")));
    step(
        "resources",
        () -> {
          check(!peer.read(peer.resources().get(0)).isEmpty(), "the first resource is empty");
          contains("Resource 7", peer.read("demo://resource/dynamic/text/7"));
        });
  }

  private void filesystem(String folder) {
    var path = folder + "/note.txt";
    step("tools", () -> check(peer.tools().contains("write_file"), "no tool write_file"));
    step("write", () -> peer.call("write_file", Map.of("path", path, "content", "one\ntwo\n")));
    step("read", () -> equal("one\ntwo\n", peer.call("read_text_file", Map.of("path", path))));
    step("list", () -> contains("note.txt", peer.call("list_directory", Map.of("path", folder))));
    step("missing file", () -> fails("read_text_file", Map.of("path", folder + "/absent.txt")));
    step("forbidden folder", () -> fails("list_directory", Map.of("path", "/")));
  }

  private void step(String name, Runnable run) {
    run.run();
    System.out.println("ok " + name);
  }

  /** A call must fail, as the tool's own error or as one of the protocol. */
  private void fails(String tool, Map<String, Object> arguments) {
    String answer;
    try {
      answer = peer.call(tool, arguments);
    } catch (RuntimeException expected) {
      return;
    }
    throw new AssertionError(tool + " did not fail: " + answer);
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static void equal(Object expected, Object actual) {
    check(expected.equals(actual), "expected " + expected + ", got " + actual);
  }

  private static void contains(String part, String whole) {
    check(whole.contains(part), "expected " + part + " in: " + whole);
  }
}
