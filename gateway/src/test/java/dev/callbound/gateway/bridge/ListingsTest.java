package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ListingsTest {
  private final List<@Nullable String> asked = new ArrayList<>();

  @Test
  void pagesAreFollowedToTheEnd() {
    Listings.Listing all =
        list(
            cursor ->
                cursor == null
                    ? page("a", "1")
                    : cursor.equals("1") ? page("b", "2") : page("c", null));

    assertThat(names(all)).containsExactly("a", "b", "c");
    assertThat(asked).containsExactly(null, "1", "2");
  }

  @Test
  void aCursorThatComesAgainIsNotFollowed() {
    assertThat(names(list(cursor -> page("a", "same")))).containsExactly("a", "a");
    assertThat(asked).hasSize(2);
  }

  @Test
  void anEmptyCursorIsTheEnd() {
    assertThat(names(list(cursor -> page("a", "")))).containsExactly("a");
  }

  @Test
  void aListWithoutEndHasOne() {
    List<String> names = names(list(cursor -> page("a", "c" + asked.size())));

    assertThat(names).hasSize(200);
  }

  @Test
  void aVeryLongListHasAnEnd() {
    String items =
        String.join(
            ",", IntStream.range(0, 5_000).mapToObj(i -> "{\"name\":\"t" + i + "\"}").toList());
    List<String> names =
        names(
            list(
                cursor ->
                    ScriptedServer.answered(
                        "{\"tools\":[" + items + "],\"nextCursor\":\"c" + asked.size() + "\"}")));

    assertThat(names).hasSize(20_000);
  }

  @Test
  void aPageThatFailsFailsTheList() {
    Listings.Listing listing =
        list(
            cursor ->
                cursor == null
                    ? page("a", "1")
                    : Reply.failed(new Failure.Refused(-32602, "no such page")));

    assertThat(listing)
        .isInstanceOfSatisfying(
            Listings.Listing.Failed.class,
            failed -> assertThat(failed.error().message()).contains("tools/list", "no such page"));
  }

  @Test
  void aListWithoutItsMemberIsEmpty() {
    assertThat(names(list(cursor -> ScriptedServer.answered("{}")))).isEmpty();
    assertThat(names(list(cursor -> ScriptedServer.answered("{\"tools\": 5}")))).isEmpty();
  }

  private Listings.Listing list(Function<@Nullable String, Reply<Json>> pages) {
    UpstreamServer server =
        new ScriptedServer(
            request -> {
              String cursor = request.params().text("cursor");
              asked.add(cursor);
              return pages.apply(cursor);
            });
    return Listings.all(
        server, Doorway.OPEN, "tools/list", "tools", Duration.ofSeconds(10), AttemptsTest.CALLER);
  }

  private static Reply<Json> page(String name, @Nullable String next) {
    String cursor = next == null ? "" : ", \"nextCursor\": \"" + next + "\"";
    return ScriptedServer.answered("{\"tools\": [{\"name\": \"" + name + "\"}]" + cursor + "}");
  }

  private static List<String> names(Listings.Listing listing) {
    return ((Listings.Listing.Items) listing)
        .items().stream().map(item -> item.textAt("name")).toList();
  }
}
