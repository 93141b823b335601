package dev.callbound.gateway.config;

/**
 * A text that must not be printed. Its {@code toString} is always {@code ***}; {@link #reveal} is
 * the only way to the text. Immutable.
 */
public final class Secret {
  private final String text;

  private Secret(String text) {
    this.text = text;
  }

  /** Wraps a text, which may be empty. */
  public static Secret of(String text) {
    return new Secret(text);
  }

  /** The text itself: for the wire and the process that need it, never for a log or an error. */
  public String reveal() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return Secrets.MASK;
  }
}
