package dev.callbound.gateway.cli;

import java.util.ArrayList;
import java.util.List;

/** Text for a screen: wrapped, and without anything that would steer a terminal. */
final class Text {
  private Text() {}

  /**
   * The text in lines that fit the width behind the indent. A line break in the text stays one; a
   * word that does not fit has a line to itself, so that it can be copied.
   */
  static List<String> wrap(String text, String indent) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : text.split("\\R", -1)) {
      StringBuilder line = new StringBuilder(indent);
      for (String word : paragraph.split(" +", -1)) {
        boolean first = line.length() == indent.length();
        if (!first && line.length() + 1 + word.length() > Style.WIDTH) {
          lines.add(line.toString());
          line = new StringBuilder(indent);
          first = true;
        }
        line.append(first ? "" : " ").append(word);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /**
   * The text without control characters but for line breaks. Names, details and notes come from
   * servers and clients: they must not move the cursor or colour the screen.
   */
  static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              boolean harmless =
                  point == '\n' || (!Character.isISOControl(point) && !isFormat(point));
              plain.appendCodePoint(harmless ? point : point == '\t' ? ' ' : '\uFFFD');
            });
    return plain.toString();
  }

  /** Direction marks and their like, which can make a line read as another. */
  private static boolean isFormat(int point) {
    return Character.getType(point) == Character.FORMAT;
  }

  /** On one line. */
  static String line(String text) {
    return plain(text).replace('\n', ' ').strip();
  }

  /** {@code 1 call}, {@code 2 calls}. */
  static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
