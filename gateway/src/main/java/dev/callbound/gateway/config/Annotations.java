package dev.callbound.gateway.config;

/** Whether a server's own hints about its tools, such as {@code readOnlyHint}, count. */
public enum Annotations {
  /** The server is trusted: a tool that it calls read-only is a read. */
  BELIEVED,
  /** A tool is a read only where the config says so. */
  IGNORED
}
