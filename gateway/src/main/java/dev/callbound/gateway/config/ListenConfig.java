package dev.callbound.gateway.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP door: where it listens, whom it lets in and how much it takes.
 *
 * @param allowedOrigins the origins that a request may name; one without a port stands for all its
 *     ports
 * @param allowedHosts the hosts that a request may name; one without a port stands for all its
 *     ports
 * @param maxRequestBytes the largest request body
 * @param maxHeaderBytes the largest request line and headers together
 * @param maxConnections how many clients may be connected at a time
 * @param maxCalls how many calls may be in flight at a time
 * @param shutdownGrace how long calls in flight have to end when the program stops; may be zero
 * @param tokens who may come in; empty means anyone who can reach the door, which must then be on a
 *     loopback address
 */
public record ListenConfig(
    ListenAddress address,
    List<String> allowedOrigins,
    List<String> allowedHosts,
    int maxRequestBytes,
    int maxHeaderBytes,
    int maxConnections,
    int maxCalls,
    Duration shutdownGrace,
    List<Token> tokens) {
  private static final String LOOPBACK = "127.0.0.1";

  static final String OPEN = "is not a loopback address, and no tokens are set";
  static final String CLOSE_IT =
      "listen on 127.0.0.1, or give each client a token under listen.tokens";

  public ListenConfig {
    if (tokens.isEmpty() && !address.isLoopback()) {
      throw new IllegalArgumentException(address + " " + OPEN + "; " + CLOSE_IT);
    }
    Positive.check("max request", maxRequestBytes);
    Positive.check("max header", maxHeaderBytes);
    Positive.check("max connections", maxConnections);
    Positive.check("max calls", maxCalls);
    if (shutdownGrace.isNegative()) {
      throw new IllegalArgumentException("shutdown grace must not be negative: " + shutdownGrace);
    }
    allowedOrigins = List.copyOf(allowedOrigins);
    allowedHosts = List.copyOf(allowedHosts);
    tokens = List.copyOf(tokens);
  }

  /** What holds where the config says nothing. */
  public static ListenConfig standard() {
    return new ListenConfig(
        Keys.Listen.ADDRESS.required(),
        Keys.Listen.ALLOWED_ORIGINS.required(),
        Keys.Listen.ALLOWED_HOSTS.required(),
        Keys.Listen.MAX_REQUEST.required(),
        Keys.Listen.MAX_HEADER.required(),
        Keys.Listen.MAX_CONNECTIONS.required(),
        Keys.Listen.MAX_CALLS.required(),
        Keys.Listen.SHUTDOWN_GRACE.required(),
        List.of());
  }

  /**
   * The same, listening elsewhere.
   *
   * @throws IllegalArgumentException if that is not a loopback address and there are no tokens; the
   *     message says what to do
   */
  public ListenConfig at(ListenAddress other) {
    return new ListenConfig(
        other,
        allowedOrigins,
        allowedHosts,
        maxRequestBytes,
        maxHeaderBytes,
        maxConnections,
        maxCalls,
        shutdownGrace,
        tokens);
  }

  /** The same, on a free port of this machine alone, and called by its address. */
  public ListenConfig onFreePort() {
    List<String> hosts = new ArrayList<>(allowedHosts);
    hosts.add(LOOPBACK);
    return new ListenConfig(
        new ListenAddress(LOOPBACK, 0),
        allowedOrigins,
        hosts,
        maxRequestBytes,
        maxHeaderBytes,
        maxConnections,
        maxCalls,
        shutdownGrace,
        tokens);
  }

  /** Whether a request may carry this {@code Origin} header. */
  public boolean allowsOrigin(String origin) {
    return Hosts.matches(origin, allowedOrigins);
  }

  /** Whether a request may carry this {@code Host} header. */
  public boolean allowsHost(String host) {
    return Hosts.matches(host, allowedHosts);
  }

  /** Who comes with this bearer token; null if nobody that is known. */
  public @Nullable String principal(String bearer) {
    byte[] given = bearer.getBytes(StandardCharsets.UTF_8);
    String principal = null;
    // Every token is compared, each in constant time: how long it takes tells nothing.
    for (Token token : tokens) {
      if (MessageDigest.isEqual(given, token.token().reveal().getBytes(StandardCharsets.UTF_8))) {
        principal = token.principal();
      }
    }
    return principal;
  }

  /**
   * One client's way in. A principal may have several tokens, so that they can be changed one by
   * one.
   *
   * @param principal whose calls and runs they are
   */
  public record Token(String principal, Secret token) {
    public Token {
      if (principal.isBlank() || token.reveal().isBlank()) {
        throw new IllegalArgumentException("principal and token must not be blank");
      }
    }
  }
}
