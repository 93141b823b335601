package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.AddressRules;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Unattended;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a URL is answered, once and within a few seconds. Of the answer only the status is
 * read. It is connected only to addresses that the rules allow.
 */
public final class UrlLook {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private UrlLook() {}

  /**
   * Looks. On a thread of the caller's that nobody else interrupts.
   *
   * @return why it does not count as answered; empty when it does, with a 2xx
   */
  public static Optional<String> at(URI url, AddressRules addresses) {
    ServerConfig.Http transport =
        new ServerConfig.Http(url, Map.of(), null, addresses, PATIENCE, Set.of());
    try (Sender sender = new Sender(transport, 1);
        TimeLimit limit = TimeLimit.of(PATIENCE)) {
      @Nullable String complaint = complaint(sender, limit);
      return Optional.ofNullable(complaint);
    }
  }

  private static @Nullable String complaint(Sender sender, TimeLimit limit) {
    Evidence nothing = new Evidence(new Unattended(Revision.NEWEST));
    try (Answer answer =
        sender.send(new Sender.Outgoing("GET", Map.of("Accept", "*/*"), null), nothing)) {
      int status = answer.status();
      return status >= 200 && status < 300 ? null : "it is answered with status " + status;
    } catch (IOException e) {
      return limit.passed()
          ? "no answer within " + PATIENCE.toSeconds() + " s"
          : WireFailures.text(e);
    }
  }
}
