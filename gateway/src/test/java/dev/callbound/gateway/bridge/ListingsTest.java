package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.Introduction;
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
                    answered(
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
    assertThat(names(list(cursor -> answered("{}")))).isEmpty();
    assertThat(names(list(cursor -> answered("{\"tools\": 5}")))).isEmpty();
  }

  private Listings.Listing list(Function<@Nullable String, Reply<Json>> pages) {
    UpstreamServer server =
        new UpstreamServer() {
          @Override
          public String name() {
            return "one";
          }

          @Override
          public Reply<Introduction> introduction(Exchange exchange) {
            return Reply.failed(new Failure.NotSent("not asked"));
          }

          @Override
          public Reply<Json> request(String method, JsonObject params, Exchange exchange) {
            asked.add(params.text("cursor"));
            return pages.apply(params.text("cursor"));
          }

          @Override
          public void send(Message.Notification notification) {}

          @Override
          public void listen(Listener listener) {}

          @Override
          public void close() {}
        };
    return Listings.all(server, "tools/list", "tools", Duration.ofSeconds(10), AttemptsTest.CALLER);
  }

  private static Reply<Json> page(String name, @Nullable String next) {
    String cursor = next == null ? "" : ", \"nextCursor\": \"" + next + "\"";
    return answered("{\"tools\": [{\"name\": \"" + name + "\"}]" + cursor + "}");
  }

  private static Reply<Json> answered(String result) {
    return new Reply.Answered<>(Json.of(result));
  }

  private static List<String> names(Listings.Listing listing) {
    return ((Listings.Listing.Items) listing)
        .items().stream().map(item -> item.textAt("name")).toList();
  }
}
