package dev.callbound.gateway.door.stdio;

import dev.callbound.gateway.door.ScriptedBridge;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A stdio door at one end of two pipes; a test is at the other. */
final class StdioFixture implements AutoCloseable {
  static final String META =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
  static final String INITIALIZE =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
          + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

  final ScriptedBridge bridge = new ScriptedBridge();
  private final Pipe answers = Pipe.open();
  private final OutputStream toDoor;
  private final BufferedReader fromDoor =
      new BufferedReader(
          new InputStreamReader(Channels.newInputStream(answers.source()), StandardCharsets.UTF_8));
  private final Thread running;

  StdioFixture(StdioDoor.Limits limits) throws IOException {
    Pipe requests = Pipe.open();
    toDoor = Channels.newOutputStream(requests.sink());
    StdioDoor door =
        new StdioDoor(
            Channels.newInputStream(requests.source()),
            Channels.newOutputStream(answers.sink()),
            bridge,
            limits);
    running =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    door.run();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
  }

  static StdioFixture open() throws IOException {
    return new StdioFixture(new StdioDoor.Limits(1 << 20, 100, Duration.ofSeconds(30)));
  }

  /** Opens a door, and begins a session. */
  static StdioFixture begun() throws Exception {
    StdioFixture door = open();
    door.line(INITIALIZE).answer();
    door.bridge.nextTalk();
    return door;
  }

  StdioFixture line(String line) throws IOException {
    toDoor.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    toDoor.flush();
    return this;
  }

  StdioFixture bytes(byte[] bytes) throws IOException {
    toDoor.write(bytes);
    toDoor.flush();
    return this;
  }

  /** The next line that the door wrote. */
  String answer() throws IOException {
    return fromDoor.readLine();
  }

  /** The client closes its end: the door's input ends. */
  void leave() throws IOException {
    toDoor.close();
  }

  /** The client closes its other end: nobody reads what the door writes. */
  void readNoMore() throws IOException {
    answers.source().close();
  }

  /** Whether the door is done, within a few seconds. */
  boolean ended() throws InterruptedException {
    return running.join(Duration.ofSeconds(10));
  }

  boolean runs() throws InterruptedException {
    return !running.join(Duration.ofMillis(50));
  }

  @Override
  public void close() throws IOException {
    toDoor.close();
    answers.source().close();
    running.interrupt();
  }

  static String request(Object id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + id
        + ",\"method\":\""
        + method
        + "\",\"params\":{"
        + params
        + "}}";
  }

  static String cancel(Object id) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
        + id
        + "}}";
  }
}
