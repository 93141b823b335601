package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.CircuitConfig;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.CircuitReset;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.ServerStore;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Entrance;
import dev.callbound.policy.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The entrances of all servers. What is in the way there is logged, and on record, so that it
 * survives a restart; a reset that somebody records beside the gateway is heeded. Thread-safe.
 */
public final class Gates {
  private static final System.Logger LOG = System.getLogger(Gates.class.getName());

  private final Config config;
  private final ServerStore store;
  private final InstantSource clock;
  private final Map<String, Entrance> entrances = new LinkedHashMap<>();

  /** The latest reset that was heeded. Housekeeping's alone. */
  private long heeded;

  /** Entrances as the last process left them. */
  Gates(Config config, ServerStore store, Time time, InstantSource clock) {
    this.config = config;
    this.store = store;
    this.clock = clock;
    this.heeded = store.lastReset();
    List<CircuitRecord> left = store.circuits();
    long last = left.stream().mapToLong(CircuitRecord::number).max().orElse(0);
    config
        .servers()
        .forEach(
            (name, server) ->
                entrances.put(
                    name,
                    new Entrance(
                        order(server, last),
                        time,
                        new SplittableRandom(),
                        state -> changed(name, state))));
    left.forEach(this::restore);
  }

  /** The entrance of a server of which nothing is remembered. */
  static Entrance unremembered(ServerConfig server, Time time) {
    return new Entrance(order(server, 0), time, new SplittableRandom(), _ -> {});
  }

  private static Entrance.Order order(ServerConfig server, long firstNumber) {
    return new Entrance.Order(
        server.crowd().atOnce(), server.crowd().queue(), ofServer(server).terms(), firstNumber);
  }

  /** What holds for the tools of which the configuration says nothing, and so for the server. */
  private static CircuitConfig ofServer(ServerConfig server) {
    return server.tool(Entrance.SERVER).circuit();
  }

  /** Where the calls of a tool come in. */
  static Entrance.Place place(String tool, ToolConfig bounds) {
    CircuitConfig circuit = bounds.circuit();
    return new Entrance.Place(circuit.isOfServer() ? Entrance.SERVER : tool, circuit.terms(), true);
  }

  /**
   * Where everything that is no tool call comes in: kept out only with all the tools, and never in
   * line behind them.
   */
  static Entrance.Place place(ServerConfig server) {
    CircuitConfig circuit = ofServer(server);
    return new Entrance.Place(
        Entrance.SERVER, circuit.isOfServer() ? circuit.terms() : null, false);
  }

  /** The entrance of a server that is configured. */
  Entrance of(String server) {
    Entrance entrance = entrances.get(server);
    if (entrance == null) {
      throw new IllegalArgumentException("no configuration for server " + server);
    }
    return entrance;
  }

  /** What keeps calls out now, of all servers that are configured. */
  public List<CircuitRecord> shut() {
    Instant now = clock.instant();
    return store.circuits().stream()
        .filter(circuit -> circuit.isShut(now) && entrances.containsKey(circuit.server()))
        .toList();
  }

  /** How full the servers are, by their names. */
  public Map<String, Entrance.Crowd> crowds() {
    Map<String, Entrance.Crowd> crowds = new LinkedHashMap<>();
    entrances.forEach((name, entrance) -> crowds.put(name, entrance.crowd()));
    return crowds;
  }

  /**
   * Does what has been asked for beside the gateway since this was last called. Called by one
   * thread only.
   *
   * @throws JournalException if it can't be read
   */
  public void heedResets() {
    for (CircuitReset reset : store.resetsAfter(heeded)) {
      LOG.log(
          System.Logger.Level.INFO,
          "circuits=reset server={0} tool={1} by={2}",
          shown(reset.server()),
          shown(reset.tool()),
          reset.who());
      entrances.forEach(
          (name, entrance) -> {
            if (reset.server() == null || reset.server().equals(name)) {
              entrance.reset(reset.tool());
            }
          });
      heeded = reset.id();
    }
  }

  private static String shown(@Nullable String name) {
    return name == null ? "all" : name;
  }

  private void restore(CircuitRecord record) {
    if (record.state() == Circuit.State.CLOSED) {
      return;
    }
    ServerConfig server = config.servers().get(record.server());
    Entrance.Place place = server == null ? null : place(record, server);
    if (place == null) {
      close(record);
      return;
    }
    Duration left = Duration.between(clock.instant(), record.until());
    of(record.server())
        .restore(
            place,
            record.bar(),
            left.isNegative() ? Duration.ZERO : left,
            new Entrance.Cause(record.failure(), record.detail()));
  }

  /** The place that a record is about; null where the configuration has no such circuit today. */
  private static Entrance.@Nullable Place place(CircuitRecord record, ServerConfig server) {
    Entrance.Place place =
        record.tool().equals(Entrance.SERVER)
            ? place(server)
            : place(record.tool(), server.tool(record.tool()));
    boolean there =
        switch (record.bar()) {
          case FAILURES -> place.terms() != null;
          case CREDENTIALS -> ofServer(server).terms() != null;
          case LIMIT -> true;
        };
    return there && place.name().equals(record.tool()) ? place : null;
  }

  private void close(CircuitRecord record) {
    Instant now = clock.instant();
    record(
        new CircuitRecord(
            record.server(),
            record.tool(),
            record.bar(),
            Circuit.State.CLOSED,
            now,
            now,
            record.failure(),
            record.detail(),
            record.number() + 1));
  }

  private void changed(String server, Entrance.State state) {
    LOG.log(
        System.Logger.Level.INFO,
        "server={0} tool={1} bar={2} circuit={3} left_ms={4,number,#} failure={5}",
        server,
        state.place().equals(Entrance.SERVER) ? "all" : state.place(),
        state.bar().code(),
        state.state().code(),
        state.left().toMillis(),
        state.cause().failure().isEmpty() ? "none" : state.cause().failure());
    Instant now = clock.instant();
    record(
        new CircuitRecord(
            server,
            state.place(),
            state.bar(),
            state.state(),
            now,
            now.plus(state.left()),
            state.cause().failure(),
            config.secrets().redact(state.cause().detail()),
            state.number()));
  }

  /** What can't be recorded holds all the same, for as long as this process lives. */
  private void record(CircuitRecord record) {
    try {
      store.changed(record);
    } catch (JournalException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "server={0} tool={1} recorded=no {2}",
          record.server(),
          record.tool(),
          e.getMessage());
    }
  }
}
