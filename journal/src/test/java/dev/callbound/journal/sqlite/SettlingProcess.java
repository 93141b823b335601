package dev.callbound.journal.sqlite;

import dev.callbound.journal.Ending.Status;
import java.nio.file.Path;

/** Settles calls one after the other, and tells of each what came of it. */
final class SettlingProcess {
  private SettlingProcess() {}

  public static void main(String[] arguments) {
    Path file = Path.of(arguments[0]);
    for (int i = 1; i < arguments.length; i++) {
      System.out.println(
          SqliteJournal.settleBeside(file, Records.settling(arguments[i], Status.OK)));
    }
  }
}
