package dev.callbound.gateway.config;

/** How much of a call's arguments and result the journal keeps. */
public enum Recording {
  /** Their SHA-256 and their size. */
  DIGEST,
  /** All of it, with the masked fields left out. */
  FULL
}
