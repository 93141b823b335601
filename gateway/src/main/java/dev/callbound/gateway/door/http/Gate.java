package dev.callbound.gateway.door.http;

import dev.callbound.gateway.config.ListenConfig;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import org.jspecify.annotations.Nullable;

/**
 * Decides from a request's headers whether it may come in, and as whom. A page in a browser can
 * send requests to this machine under a name that its own DNS answers for; that is why the host is
 * checked as well as the origin (MCP 2025-11-25, transports, security warning).
 */
final class Gate {
  /** Whose calls these are where no tokens are set. */
  static final String LOCAL = "local";

  private static final String SCHEME = "Bearer ";

  private final ListenConfig config;

  Gate(ListenConfig config) {
    this.config = config;
  }

  /** The principal of a request that may come in. */
  String admit(Headers headers) throws RefusedException {
    String host = headers.first(HeaderNames.HOST).orElse("");
    if (!config.allowsHost(host)) {
      throw RefusedException.of(
          Status.FORBIDDEN_403,
          "Host " + shown(host) + " is not served here; add it to listen.allowed_hosts");
    }
    String origin = headers.first(HeaderNames.ORIGIN).orElse(null);
    if (origin != null && !config.allowsOrigin(origin)) {
      throw RefusedException.of(
          Status.FORBIDDEN_403,
          "Origin " + shown(origin) + " is not allowed; add it to listen.allowed_origins");
    }
    return config.tokens().isEmpty() ? LOCAL : principal(headers);
  }

  private String principal(Headers headers) throws RefusedException {
    String authorization = headers.first(HeaderNames.AUTHORIZATION).orElse(null);
    String token = token(authorization);
    String principal = token == null ? null : config.principal(token);
    if (principal == null) {
      throw RefusedException.of(
              Status.UNAUTHORIZED_401,
              authorization == null
                  ? "a token is required: send Authorization: Bearer TOKEN"
                  : "the token is not known; see listen.tokens")
          .with(
              HeaderNames.WWW_AUTHENTICATE,
              authorization == null
                  ? "Bearer realm=\"callbound\""
                  : "Bearer realm=\"callbound\", error=\"invalid_token\"");
    }
    return principal;
  }

  private static @Nullable String token(@Nullable String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? authorization.substring(SCHEME.length()).strip()
        : null;
  }

  /** A value from outside, short enough to be repeated. */
  private static String shown(String value) {
    return value.length() <= 100 ? value : value.substring(0, 100) + "...";
  }
}
