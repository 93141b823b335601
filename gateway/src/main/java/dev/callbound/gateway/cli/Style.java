package dev.callbound.gateway.cli;

/** How a text looks: with colours, or without. Immutable. */
enum Style {
  COLORED,
  PLAIN;

  /** The widest line that is printed, where words can be wrapped. */
  static final int WIDTH = 100;

  private static final String RESET = "\u001b[0m";

  /** A heading. */
  String bold(String text) {
    return with("1", text);
  }

  /** Beside the point. */
  String dim(String text) {
    return with("2", text);
  }

  /** It went well. */
  String good(String text) {
    return with("32", text);
  }

  /** It is over, and nothing is in doubt. */
  String stopped(String text) {
    return with("33", text);
  }

  /** Somebody has to look at it. */
  String alarming(String text) {
    return with("1;31", text);
  }

  private String with(String code, String text) {
    return this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + RESET;
  }
}
