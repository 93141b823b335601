package dev.callbound.gateway.config;

import dev.callbound.policy.Circuit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the calls of a tool are kept from a dependency that stays down.
 *
 * @param per what stands and falls together; a wait that a provider names counts for the same
 * @param terms when the circuit opens, and for how long; null for no circuit
 */
public record CircuitConfig(Scope per, Circuit.@Nullable Terms terms) {
  /** Whether there is one, and all tools of the server share it. */
  public boolean isOfServer() {
    return terms != null && per == Scope.SERVER;
  }

  /** What a circuit is about. */
  public enum Scope {
    /** One tool: its neighbours are left alone. */
    TOOL,
    /** All tools of a server. */
    SERVER
  }

  /**
   * What one place says about circuits. Null stands for what it doesn't say.
   *
   * @param on false where it says that there is none
   */
  public record Layer(
      boolean on,
      @Nullable Scope per,
      @Nullable Integer failures,
      @Nullable Duration window,
      @Nullable Duration coolDown) {
    /** There is none. */
    static final Layer OFF = new Layer(false, null, null, null, null);

    /** Whether it says anything that counts for a circuit of its own only. */
    boolean saysWhen() {
      return failures != null || window != null || coolDown != null;
    }
  }
}
