package dev.callbound.gateway.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that must not be printed. Its {@code toString} is always {@code ***}; {@link #reveal} is
 * the only way to the text. Immutable.
 */
public final class Secret {
  /** RFC 9110, 11.4: a scheme, which is a token (5.6.2), spaces and the credential. */
  private static final Pattern CREDENTIAL = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+ +(\\S+)");

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

  /**
   * The texts by which it may be quoted: an error may leave the scheme of a credential out, the
   * {@code Bearer} before it.
   */
  List<String> spellings() {
    Matcher credential = CREDENTIAL.matcher(text);
    return credential.matches() ? List.of(text, credential.group(1)) : List.of(text);
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
