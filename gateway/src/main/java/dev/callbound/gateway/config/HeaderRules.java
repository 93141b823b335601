package dev.callbound.gateway.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which header fields may be added to our requests, wherever they come from. Pure. */
public final class HeaderRules {
  /** RFC 9110, 5.6.2. */
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

  /** RFC 9110, 5.5: no control characters, so that a value can't begin another header. */
  private static final Pattern VALUE = Pattern.compile("[^\\p{Cntrl}&&[^\t]]*");

  /** Headers that carry the protocol itself. */
  private static final Set<String> OWN =
      Set.of(
          "accept",
          "connection",
          "content-length",
          "content-type",
          "host",
          "last-event-id",
          "transfer-encoding");

  private HeaderRules() {}

  /** Whether this can be a header's name. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** Whether this can be a header's value: it holds no line break or other control character. */
  public static boolean isValue(String text) {
    return VALUE.matcher(text).matches();
  }

  /** Whether the gateway sets this header itself, so that nobody else may. */
  public static boolean isOwn(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return OWN.contains(lower) || lower.startsWith("mcp-");
  }
}
