package dev.callbound.journal;

import java.util.Locale;

/** What told that an unknown call had happened, or had not. */
public enum SettledBy {
  /** The tool's own answer, which came after the wait for it had ended. */
  LATE_ANSWER,
  /** The provider, asked whether the effect is there. */
  CHECK,
  /** A following call with the same key, whose answer is that of the first. */
  REPEAT,
  /** A person who looked. */
  PERSON,
  /** The model that had asked for the call. */
  MODEL;

  /** The name as it stands in the journal and in answers, such as {@code late_answer}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
