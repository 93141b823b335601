package dev.callbound.gateway.door.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import java.util.List;
import java.util.Locale;

/** What a client sends must be JSON, and it must take what comes back in either form. */
final class MediaRules {
  static final String JSON = "application/json";
  static final String EVENTS = "text/event-stream";

  private MediaRules() {}

  static void checkSent(Headers headers) throws RefusedException {
    String sent = headers.first(HeaderNames.CONTENT_TYPE).orElse("");
    if (!essence(sent).equals(JSON)) {
      throw RefusedException.of(
          Status.UNSUPPORTED_MEDIA_TYPE_415,
          sent.isEmpty()
              ? "Content-Type must be " + JSON
              : "Content-Type must be " + JSON + ": " + essence(sent));
    }
  }

  static void checkAccepted(Headers headers, String... types) throws RefusedException {
    List<String> accepted = headers.all(HeaderNames.ACCEPT, List::of);
    for (String type : types) {
      if (!accepts(accepted, type)) {
        throw RefusedException.of(
            Status.NOT_ACCEPTABLE_406, "Accept must list " + String.join(" and ", types));
      }
    }
  }

  private static boolean accepts(List<String> accepted, String type) {
    if (accepted.isEmpty()) {
      // No such field means that anything will do (RFC 9110, 12.5.1).
      return true;
    }
    String wholeKind = type.substring(0, type.indexOf('/')) + "/*";
    for (String list : accepted) {
      for (String one : list.split(",", -1)) {
        String range = essence(one);
        if (range.equals(type) || range.equals(wholeKind) || range.equals("*/*")) {
          return true;
        }
      }
    }
    return false;
  }

  /** The type without its parameters. */
  private static String essence(String value) {
    int parameters = value.indexOf(';');
    return (parameters < 0 ? value : value.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}
