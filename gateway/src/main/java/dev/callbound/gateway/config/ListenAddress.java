package dev.callbound.gateway.config;

import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the door listens.
 *
 * @param host an IP address without brackets, or a name
 * @param port 0 to 65535; 0 picks a free one
 */
public record ListenAddress(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9.-]+)):(\\d{1,5})");

  public ListenAddress {
    if (host.isBlank()) {
      throw new IllegalArgumentException("host must not be blank");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535: " + port);
    }
  }

  /**
   * Reads {@code HOST:PORT}, an IPv6 address in brackets.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static ListenAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not HOST:PORT, as in 127.0.0.1:7420 or [::1]:0: " + text);
    }
    String bracketed = matcher.group(1);
    return new ListenAddress(
        bracketed == null ? matcher.group(2) : bracketed, Integer.parseInt(matcher.group(3)));
  }

  /**
   * Whether only this machine can reach it. A name other than {@code localhost} is not trusted to
   * be.
   */
  public boolean isLoopback() {
    if (host.toLowerCase(Locale.ROOT).equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException nameInsteadOfAddress) {
      return false;
    }
  }

  /** Whether it stands for every address of this machine. */
  public boolean isAny() {
    try {
      return InetAddress.ofLiteral(host).isAnyLocalAddress();
    } catch (IllegalArgumentException nameInsteadOfAddress) {
      return false;
    }
  }

  /** {@code HOST:PORT}, an IPv6 address in brackets. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
