package dev.callbound.gateway.config;

import java.util.Locale;

/** Which place said what holds for a tool. The nearest place that says anything wins. */
public enum Origin {
  /** The tool's own lines in the config. */
  TOOL,
  /** The server's lines in the config. */
  SERVER,
  /** The profile of a known server. */
  PROFILE,
  /** The config's {@code defaults}. */
  DEFAULTS,
  /** Nobody: what holds where nothing is written. */
  BUILT_IN;

  /** As it is printed, such as {@code built-in}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
