package dev.callbound.gateway;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ListenAddress;
import dev.callbound.gateway.door.http.CannotListenException;
import dev.callbound.gateway.door.http.HttpDoor;
import dev.callbound.journal.JournalReader;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A gateway with an open HTTP door, in this process.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.start(config)) {
 *   client.connect(gateway.url());
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Gateway implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Gateway.class.getName());

  private final Engine engine;
  private final HttpDoor door;
  private final ListenAddress address;
  private final Duration grace;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Gateway(Engine engine, HttpDoor door, ListenAddress address, Duration grace) {
    this.engine = engine;
    this.door = door;
    this.address = address;
    this.grace = grace;
  }

  /**
   * Starts a gateway; its door is open when this returns.
   *
   * @throws CannotListenException if the address can't be had
   * @throws dev.callbound.journal.JournalException if the journal can't be opened
   */
  public static Gateway start(Config config) throws CannotListenException {
    Engine engine = Engine.start(config);
    HttpDoor door =
        new HttpDoor(
            config.listen(), engine.bridge(), engine.runs(), engine.calls(), engine.circuits());
    try {
      ListenAddress address = door.start();
      LOG.log(
          Level.INFO,
          "started url={0} servers={1} journal={2}",
          url(address),
          config.servers().size(),
          config.journal().file());
      return new Gateway(engine, door, address, config.listen().shutdownGrace());
    } catch (CannotListenException | RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  /** The endpoint for all servers; the one for a single server is {@code /NAME} below it. */
  public URI url() {
    return url(address);
  }

  private static URI url(ListenAddress address) {
    return URI.create("http://" + address + "/mcp");
  }

  /**
   * Leaves word beside the journal of where this gateway is, so that {@code callbound exec} on the
   * same journal finds it. Not for one that ends sooner than whoever might find it.
   */
  public void announce() {
    engine.announce(
        url(address.isAny() ? new ListenAddress("127.0.0.1", address.port()) : address));
  }

  /** The record, to look at. Not to be closed. */
  public JournalReader journal() {
    return engine.journal();
  }

  /**
   * Stops: no new calls; those in flight get until the configured grace, then end recorded; then
   * the servers end, and last the journal. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    LOG.log(Level.INFO, "stopping calls={0} grace={1}", door.openCalls(), grace);
    try {
      shut();
      engine.stop(grace);
      door.close();
    } finally {
      engine.close();
    }
    LOG.log(Level.INFO, "stopped");
  }

  /** Lets no new call in, and waits for none. */
  private void shut() {
    try {
      door.drain(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
