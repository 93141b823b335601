package dev.callbound.gateway.config;

import java.util.List;
import java.util.regex.Pattern;

/** Compares the host or origin that a request names with those that are allowed. */
final class Hosts {
  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

  private Hosts() {}

  /** Whether one of the allowed is the same, or is the same but for the port and names no port. */
  static boolean matches(String given, List<String> allowed) {
    String withoutPort = PORT.matcher(given).replaceFirst("");
    for (String one : allowed) {
      if (one.equalsIgnoreCase(given) || one.equalsIgnoreCase(withoutPort)) {
        return true;
      }
    }
    return false;
  }
}
