package dev.callbound.gateway.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The journals of gateways that run at the same time. A journal has one writer; a client that
 * starts its gateway itself, and runs twice, must get a second one, which writes beside the first:
 * {@code callbound.db}, {@code callbound-2.db} and so on.
 */
final class JournalFiles {
  /** How many gateways may write beside each other. */
  static final int MOST = 32;

  private JournalFiles() {}

  /**
   * One of the files that belong together.
   *
   * @param number from 1, which is the first file itself
   */
  static Path numbered(Path first, int number) {
    if (number == 1) {
      return first;
    }
    String name = String.valueOf(first.getFileName());
    int dot = name.lastIndexOf('.');
    String stem = dot < 1 ? name : name.substring(0, dot);
    String ending = dot < 1 ? "" : name.substring(dot);
    return first.resolveSibling(stem + "-" + number + ending);
  }

  /** The first file, whether or not it exists, and those beside it that do. */
  static List<Path> existing(Path first) {
    return Stream.concat(
            Stream.of(first),
            IntStream.rangeClosed(2, MOST)
                .mapToObj(number -> numbered(first, number))
                .filter(Files::exists))
        .toList();
  }
}
