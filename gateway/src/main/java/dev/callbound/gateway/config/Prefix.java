package dev.callbound.gateway.config;

/** When a tool appears as {@code server__tool} at the door that all servers share. */
public enum Prefix {
  /** Always. */
  ALWAYS,
  /** Only where two servers would offer the same name. */
  COLLISIONS
}
