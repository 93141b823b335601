package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What a server remembers of one client between its requests. Thread-safe. */
final class Session {
  private final @Nullable String id;
  private final Map<JsonNode, CallEntry> inFlight = new ConcurrentHashMap<>();
  private volatile String protocol;
  private volatile @Nullable EventStream standalone;

  /**
   * @param id the value of Mcp-Session-Id; null on stdio and on servers that keep no sessions
   */
  Session(@Nullable String id, String protocol) {
    this.id = id;
    this.protocol = protocol;
  }

  @Nullable String id() {
    return id;
  }

  String protocol() {
    return protocol;
  }

  void protocol(String negotiated) {
    protocol = negotiated;
  }

  /** The calls that have not ended, by request id. */
  Map<JsonNode, CallEntry> inFlight() {
    return inFlight;
  }

  /** The stream of a GET without Last-Event-ID; null if the client has opened none. */
  @Nullable EventStream standalone() {
    return standalone;
  }

  void standalone(EventStream stream) {
    standalone = stream;
  }
}
