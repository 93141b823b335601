package dev.callbound.gateway.door.http;

import dev.callbound.gateway.bridge.Client;
import io.helidon.http.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The sessions that are open. Thread-safe. */
final class Sessions {
  /** How long a session is kept that nobody uses. */
  static final Duration IDLE = Duration.ofMinutes(30);

  private static final int ID_BYTES = 16;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final int most;
  private final LongSupplier nanoTime;

  /**
   * @param most how many are kept; the one that is idle longest makes room for another
   * @param nanoTime a clock that only runs forward, in nanoseconds
   */
  Sessions(int most, LongSupplier nanoTime) {
    this.most = most;
    this.nanoTime = nanoTime;
  }

  /** An id that can't be guessed, in visible ASCII (MCP 2025-11-25, session management). */
  String newId() {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }

  /** Makes room for one more; false when every session is in use. */
  boolean makeRoom() {
    if (sessions.size() < most) {
      return true;
    }
    expire();
    if (sessions.size() < most) {
      return true;
    }
    long now = nanoTime.getAsLong();
    Optional<Session> idlest =
        sessions.values().stream()
            .filter(session -> session.idleNanos(now) >= 0)
            .max(Comparator.comparingLong(session -> session.idleNanos(now)));
    idlest.ifPresent(this::close);
    return idlest.isPresent();
  }

  /** Adds a session, in use by the request that began it. */
  Session open(String id, String principal, @Nullable String server, Client client) {
    Session session = new Session(id, principal, server, client, nanoTime.getAsLong());
    session.use();
    sessions.put(id, session);
    return session;
  }

  /**
   * Finds a session and marks it as in use; the caller must {@link #unuse} it. A session of
   * somebody else, or of another endpoint, is as good as none.
   */
  Session use(@Nullable String id, String principal, @Nullable String server)
      throws RefusedException {
    if (id == null) {
      throw RefusedException.of(
          Status.BAD_REQUEST_400, "Mcp-Session-Id is missing: begin with initialize");
    }
    Session session = sessions.get(id);
    if (session == null
        || !session.principal().equals(principal)
        || !Objects.equals(session.server(), server)
        || !session.use()) {
      throw RefusedException.of(
          Status.NOT_FOUND_404, "this session is not known, or over: begin with initialize");
    }
    return session;
  }

  void unuse(Session session) {
    session.unuse(nanoTime.getAsLong());
  }

  void close(Session session) {
    sessions.remove(session.id(), session);
    session.close();
  }

  /** Ends the sessions that nobody has used for {@link #IDLE}. */
  void expire() {
    long now = nanoTime.getAsLong();
    List<Session> idle =
        sessions.values().stream()
            .filter(session -> session.idleNanos(now) >= IDLE.toNanos())
            .toList();
    idle.forEach(this::close);
  }

  void closeAll() {
    List.copyOf(sessions.values()).forEach(this::close);
  }

  int count() {
    return sessions.size();
  }
}
