package dev.callbound.testkit;

import java.util.Arrays;
import java.util.List;

/** Cuts UTF-8 within its first multi-byte character. */
final class SplitText {
  /** How long the second piece waits, so that the two arrive apart. */
  static final int PAUSE_MILLIS = 30;

  private SplitText() {}

  /** The pieces: two, or one where there is no such character. */
  static List<byte[]> pieces(byte[] utf8) {
    for (int i = 1; i < utf8.length; i++) {
      if ((utf8[i] & 0xc0) == 0x80) {
        return List.of(Arrays.copyOf(utf8, i), Arrays.copyOfRange(utf8, i, utf8.length));
      }
    }
    return List.of(utf8);
  }
}
