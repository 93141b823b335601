package dev.callbound.gateway.cli;

import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalReader;
import java.util.List;
import java.util.Locale;

/** An id as a person types it: as much of its beginning as tells it from others. */
final class TypedId {
  private static final int MOST_CANDIDATES = 10;

  private TypedId() {}

  /**
   * The one id in the journal that begins so.
   *
   * @throws CommandFailedException if there is none, or several
   */
  static String whole(JournalReader reader, String typed) {
    String beginning = typed.strip().toLowerCase(Locale.ROOT);
    if (!beginning.startsWith(Ids.RUN) && !beginning.startsWith(Ids.CALL)) {
      throw new CommandFailedException(
          "an id begins with %s for a run or %s for a call: %s; callbound runs lists them"
              .formatted(Ids.RUN, Ids.CALL, beginning));
    }
    if (beginning.length() < JournalReader.SHORTEST_PREFIX) {
      throw new CommandFailedException(
          "at least %d characters of the id are needed: %s"
              .formatted(JournalReader.SHORTEST_PREFIX, beginning));
    }
    List<String> ids = reader.idsBeginning(beginning, MOST_CANDIDATES + 1);
    if (ids.isEmpty()) {
      throw new CommandFailedException(
          "nothing in the journal begins with "
              + beginning
              + "; what is older than its retention is forgotten");
    }
    if (ids.size() > 1) {
      throw new CommandFailedException(
          "several ids begin with %s; which one?%n  %s%s"
              .formatted(
                  beginning,
                  String.join(
                      System.lineSeparator() + "  ",
                      ids.subList(0, Math.min(ids.size(), MOST_CANDIDATES))),
                  ids.size() > MOST_CANDIDATES ? System.lineSeparator() + "  and more" : ""));
    }
    return ids.getFirst();
  }
}
