package dev.callbound.gateway.config;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a run's expected outputs may be looked for at. Whoever opens a run can learn by them whether
 * something is there, and no more.
 *
 * @param folders the folders in which a file may be looked for; null for any
 * @param hosts the hosts of which a URL may be asked for, besides this machine; one without a port
 *     stands for all its ports
 */
public record ExpectConfig(@Nullable List<Path> folders, List<String> hosts) {
  public ExpectConfig {
    folders = folders == null ? null : List.copyOf(folders);
    hosts = List.copyOf(hosts);
  }

  /** What holds where the config says nothing and no tokens are set. */
  public static ExpectConfig standard() {
    return new ExpectConfig(null, List.of());
  }

  /** Whether a file may be looked for there. */
  public boolean allows(Path file) {
    Path normal = file.normalize();
    return folders == null || folders.stream().anyMatch(normal::startsWith);
  }

  /** Whether a URL of this host may be asked for. */
  public boolean allows(URI url) {
    return isLoopback(url) || Hosts.matches(authority(url), hosts);
  }

  /**
   * Where the host of such a URL may resolve to. A host that is listed is meant, wherever it is.
   */
  public AddressRules addresses(URI url) {
    return isLoopback(url)
        ? new AddressRules(AddressRules.LOOPBACK)
        : new AddressRules(AddressRules.ANYWHERE);
  }

  private static String authority(URI url) {
    return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
  }

  private static boolean isLoopback(URI url) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(
              host.startsWith("[") ? host.substring(1, host.length() - 1) : host)
          .isLoopbackAddress();
    } catch (IllegalArgumentException nameInsteadOfAddress) {
      return false;
    }
  }
}
