package dev.callbound.gateway.upstream.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a redirect leads. Only 307 and 308 keep the method and the body (RFC 9110 §15.4), and only
 * the same origin may see the headers.
 */
sealed interface Redirect {
  /** It may be followed. */
  record Follow(URI target) implements Redirect {}

  /**
   * It must not be followed.
   *
   * @param why where it wanted to lead, without its path and query
   */
  record Refuse(String why) implements Redirect {}

  /** Whether a status is a redirect at all. */
  static boolean is(int status) {
    return switch (status) {
      case 301, 302, 303, 307, 308 -> true;
      default -> false;
    };
  }

  /** Judges a redirect from a URL. */
  static Redirect of(URI from, int status, @Nullable String location) {
    if (location == null) {
      return new Refuse("redirect " + status + " without a location");
    }
    URI target;
    try {
      target = resolve(from, new URI(location.strip()));
    } catch (URISyntaxException | IllegalArgumentException _) {
      return new Refuse("redirect " + status + " to something that is no URL");
    }
    if (status != 307 && status != 308) {
      return new Refuse("redirect " + status + " to " + origin(target) + " would drop the request");
    }
    if (target.getHost() == null
        || target.getRawUserInfo() != null
        || !origin(target).equals(origin(from))) {
      return new Refuse(
          "redirect " + status + " to " + origin(target) + ", not of the origin " + origin(from));
    }
    return new Follow(target);
  }

  /** As RFC 3986 §5.2.2 says; Java's own drops the last segment where a reference has no path. */
  private static URI resolve(URI from, URI reference) {
    boolean withoutPath =
        !reference.isAbsolute()
            && reference.getRawAuthority() == null
            && reference.getRawPath().isEmpty();
    if (!withoutPath) {
      return from.resolve(reference);
    }
    String query = reference.getRawQuery() == null ? from.getRawQuery() : reference.getRawQuery();
    return from.resolve(from.getRawPath() + (query == null ? "" : "?" + query));
  }

  private static String origin(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
    int port =
        uri.getPort() >= 0
            ? uri.getPort()
            : switch (scheme) {
              case "http" -> 80;
              case "https" -> 443;
              default -> -1;
            };
    return uri.getHost() == null ? scheme + ":" : scheme + "://" + host + ":" + port;
  }
}
