package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An MCP server over HTTP, in this process, that misbehaves on demand and counts every side effect.
 *
 * <pre>{@code
 * try (var server = FaultServer.http().name("alpha").start()) {
 *   client.connect(server.url());
 *   client.call("write_then_reset", "{\"marker\": \"m\"}");
 *   assertThat(server.ledger().effectsMarked("m")).hasSize(1);
 * }
 * }</pre>
 *
 * <p>A step that crashes a process resets every connection of this server instead and leaves it
 * dead until {@link #restart()}. Thread-safe.
 */
public final class FaultServer implements AutoCloseable {
  private final FaultOptions options;
  private final EffectLedger ledger;
  private volatile FaultLife life;
  private volatile boolean crashed;

  private FaultServer(FaultOptions options) {
    this.options = options;
    this.ledger = new EffectLedger(options.ledger());
    this.life = FaultLife.inProcess(options, ledger, options.number("port"), this::noteCrash);
  }

  /** A server that answers over Streamable HTTP. */
  public static Builder http() {
    return new Builder(new FaultOptions());
  }

  /** A server that answers on stdin and stdout: always a process of its own. */
  public static Builder stdio() {
    FaultOptions options = new FaultOptions();
    options.set("stdio", "true");
    return new Builder(options);
  }

  /** The MCP endpoint. */
  public URI url() {
    return life.url(options.text("path"));
  }

  public int port() {
    return life.port();
  }

  public String name() {
    return options.name();
  }

  /** What has arrived and been executed up to now, all lives included. */
  public LedgerReport ledger() {
    return LedgerReport.read(life.report());
  }

  /** The ledger in the form of {@code GET /_ledger}. */
  public JsonNode ledgerJson() {
    return life.report();
  }

  /**
   * Changes the server's ways, as {@code POST /_control} does.
   *
   * @throws IllegalArgumentException if it is not JSON, or names an unknown step
   */
  public void control(String json) {
    life.control(JsonRpc.parse(json));
  }

  /** Forgets effects, calls, counters and control settings, on disk too. */
  public void reset() {
    life.reset();
  }

  /** Whether a step has crashed this server and nobody has restarted it. */
  public boolean crashed() {
    return crashed;
  }

  /**
   * Ends this life, if it still lasts, and begins another on the same port. Sessions, streams,
   * counters and control settings are gone; the ledger stays.
   */
  public void restart() {
    int port = life.port();
    life.close();
    crashed = false;
    life = FaultLife.inProcess(options, ledger, port, this::noteCrash);
  }

  /** Closes every connection and stops listening. */
  @Override
  public void close() {
    life.close();
  }

  private void noteCrash() {
    crashed = true;
  }

  /** How a server is to be started: the options of {@link FaultServerMain}. Not thread-safe. */
  public static final class Builder {
    private final FaultOptions options;

    private Builder(FaultOptions options) {
      this.options = options;
    }

    /** The server's name, by which its own reports call it. */
    public Builder name(String name) {
      return option("name", name);
    }

    /** Keeps the ledger in this file as well, and takes in what an earlier life wrote there. */
    public Builder ledger(Path file) {
      return option("ledger", file.toString());
    }

    /** Listens on this port instead of a free one. */
    public Builder port(int port) {
      return option("port", String.valueOf(port));
    }

    /** Keeps no sessions, whatever the revision. */
    public Builder stateless() {
      return option("stateless", "true");
    }

    /** Adds this many bulky tools that do nothing. */
    public Builder toolCount(int count) {
      return option("tool-count", String.valueOf(count));
    }

    /**
     * Answers in this form unless a call says otherwise: {@code auto}, {@code json}, {@code sse}.
     */
    public Builder reply(String form) {
      return option("reply", form);
    }

    /** Asks for this bearer token. */
    public Builder token(String token) {
      return option("token", token);
    }

    /** Takes this long to answer initialize. */
    public Builder initDelay(Duration delay) {
      return option("init-delay-ms", String.valueOf(delay.toMillis()));
    }

    /** Answers this many tools a page. */
    public Builder pageSize(int tools) {
      return option("page-size", String.valueOf(tools));
    }

    /**
     * Sets any option of the command line by its name without dashes; flags take {@code true}.
     *
     * @throws IllegalArgumentException if there is no such option
     */
    public Builder option(String name, String value) {
      options.set(name, value);
      return this;
    }

    /**
     * Starts the server in this process.
     *
     * @throws IllegalStateException for a stdio server, which needs a process of its own
     */
    public FaultServer start() {
      if (options.stdio()) {
        throw new IllegalStateException(
            "a stdio server is a process of its own: start commandLine() instead");
      }
      return new FaultServer(options.copy());
    }

    /**
     * Starts a server over HTTP as a process of its own, and waits until it listens.
     *
     * @throws IllegalStateException for a stdio server: its client starts it
     * @throws IOException if it does not start
     */
    public FaultServerProcess startProcess() throws IOException {
      if (options.stdio()) {
        throw new IllegalStateException(
            "a stdio server is started by its client: give it commandLine()");
      }
      return FaultServerProcess.start(commandLine());
    }

    /** The command that starts this server as a process of its own, with this Java. */
    public List<String> commandLine() {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      // A short-lived process: what is spent on compiling well is never earned back.
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(FaultServerMain.class.getName());
      command.addAll(options.arguments());
      return List.copyOf(command);
    }
  }
}
