package dev.callbound.gateway.config;

/** A value that is not of its format. It never carries the value, which may be a secret. */
final class FormatException extends Exception {
  private final String wrong;
  private final String right;

  /**
   * Says what is wrong and what would be right.
   *
   * @param wrong what follows the value in a sentence, as in {@code is not a duration}
   */
  FormatException(String wrong, String right) {
    super(wrong + "; " + right);
    this.wrong = wrong;
    this.right = right;
  }

  String wrong() {
    return wrong;
  }

  String right() {
    return right;
  }
}
