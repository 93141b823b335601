package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.upstream.FailureText;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended, or why it is of no use any more, and what it said last. Without secrets.
 *
 * @param what what happened, such as {@code the process ended with exit code 3}
 * @param errors the last lines of its standard error; empty when it wrote none
 * @param noise the last lines of its standard output that were no messages; empty without
 */
record Death(String what, String errors, String noise) {
  /** Exit codes from here on may stand for the signal that ended the process. */
  private static final int SIGNALLED = 128;

  private static final int LAST_SIGNAL = 64;

  /**
   * Of a process that has been running.
   *
   * @param exitCode null while it has not ended
   * @param otherwise what happened, where it has not ended
   * @param redactor takes secrets out of a text
   */
  static Death of(
      @Nullable Integer exitCode,
      String otherwise,
      Tail errors,
      Tail noise,
      UnaryOperator<String> redactor) {
    return new Death(
        exitCode == null ? otherwise : "the process ended with " + exit(exitCode),
        redactor.apply(errors.text()),
        redactor.apply(noise.text()));
  }

  /** What happened, in one line, with the last that the process had to say about it. */
  String detail() {
    String last = errors.substring(errors.lastIndexOf('\n') + 1);
    return last.isBlank() ? what : what + "; its last line on stderr: " + FailureText.of(last);
  }

  /** All that is known, for the record. */
  String note() {
    StringBuilder note = new StringBuilder(what);
    if (!errors.isEmpty()) {
      note.append("\nstderr:\n").append(errors);
    }
    if (!noise.isEmpty()) {
      note.append("\nnoise on stdout:\n").append(noise);
    }
    return note.toString();
  }

  private static String exit(int code) {
    boolean signalled = code > SIGNALLED && code <= SIGNALLED + LAST_SIGNAL;
    return "exit code " + code + (signalled ? " (signal " + (code - SIGNALLED) + ")" : "");
  }
}
