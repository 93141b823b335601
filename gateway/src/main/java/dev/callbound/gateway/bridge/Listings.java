package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.UpstreamServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a whole list from a server: its pages followed, and no further than they lead anywhere. */
final class Listings {
  private static final int MOST_PAGES = 200;
  private static final int MOST_ITEMS = 20_000;
  private static final long LARGEST_PAGE = 32L << 20;

  /** What was listed, or why it could not be. */
  sealed interface Listing {
    /** The items, as they came. */
    record Items(List<Json> items) implements Listing {}

    /** It could not be listed. */
    record Failed(RpcError error) implements Listing {}
  }

  private Listings() {}

  /**
   * Lists everything.
   *
   * @param doorway where the requests come in
   * @param method such as {@code tools/list}
   * @param member the member of the result that holds the items, such as {@code tools}
   * @param timeout for one page
   * @param caller on whose behalf
   */
  static Listing all(
      UpstreamServer server,
      Doorway doorway,
      String method,
      String member,
      Duration timeout,
      Exchange.Caller caller) {
    List<Json> items = new ArrayList<>();
    Set<String> cursors = new HashSet<>();
    JsonObject params = JsonObject.EMPTY;
    for (int page = 0; page < MOST_PAGES && items.size() < MOST_ITEMS; page++) {
      switch (PlainRequest.unattended(
              server, doorway, method, params, timeout, LARGEST_PAGE, caller)
          .make()) {
        case PlainRequest.Answer.Failed(RpcError error) -> {
          // What was listed so far is of no use: a tool must not vanish because a page failed.
          return new Listing.Failed(error);
        }
        case PlainRequest.Answer.Result(Json result) -> {
          Json found = result.at(member);
          items.addAll(found == null ? List.of() : found.elements());
          @Nullable String cursor = result.textAt("nextCursor");
          // Some servers never stop naming a next page, or name the same one for ever.
          if (cursor == null || cursor.isEmpty() || !cursors.add(cursor)) {
            return new Listing.Items(List.copyOf(items));
          }
          params = JsonObject.of("cursor", Json.text(cursor));
        }
      }
    }
    return new Listing.Items(List.copyOf(items));
  }
}
