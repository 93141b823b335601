package dev.callbound.gateway.cli;

import java.util.Locale;

/** When a command says at its end what came of it. */
enum SummaryWhen {
  AUTO,
  ALWAYS,
  NEVER;

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isWanted(boolean allWell) {
    return switch (this) {
      case ALWAYS -> true;
      case NEVER -> false;
      // Cron mails whatever is printed.
      case AUTO -> !allWell || Terminal.isOutput();
    };
  }
}
