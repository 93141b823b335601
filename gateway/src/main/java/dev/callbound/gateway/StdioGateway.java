package dev.callbound.gateway;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ListenConfig;
import dev.callbound.gateway.door.stdio.StdioDoor;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/** A gateway for the one client that started this process. Thread-safe. */
public final class StdioGateway implements AutoCloseable {
  private final Engine engine;
  private final StdioDoor door;
  private final Duration grace;

  private StdioGateway(Engine engine, StdioDoor door, Duration grace) {
    this.engine = engine;
    this.door = door;
    this.grace = grace;
  }

  /**
   * Makes a gateway over streams that it neither opens nor closes.
   *
   * @throws dev.callbound.journal.JournalException if the journal can't be opened
   */
  public static StdioGateway start(Config config, InputStream in, OutputStream out) {
    ListenConfig listen = config.listen();
    Duration grace = listen.shutdownGrace();
    Engine engine = Engine.start(config);
    StdioDoor.Limits limits =
        new StdioDoor.Limits(listen.maxRequestBytes(), listen.maxCalls(), grace);
    return new StdioGateway(engine, new StdioDoor(in, out, engine.bridge(), limits), grace);
  }

  /**
   * Serves the client until it has gone and what it asked for has ended, or the grace has.
   *
   * @throws InterruptedException as soon as the thread is interrupted
   */
  public void serve() throws InterruptedException {
    door.run();
  }

  /** Takes nothing new, and gives what is in flight the grace to end and to be told. */
  public void drain() {
    engine.stop(grace);
  }

  /** Ends what is left, recorded, then the servers, and last the journal. */
  @Override
  public void close() {
    try {
      engine.stop(Duration.ZERO);
    } finally {
      engine.close();
    }
  }
}
