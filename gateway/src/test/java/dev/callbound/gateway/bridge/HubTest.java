package dev.callbound.gateway.bridge;

import static dev.callbound.gateway.bridge.Sessions.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HubTest {
  private static final Message.Notification TOOLS =
      new Message.Notification("notifications/tools/list_changed", JsonObject.EMPTY);
  private static final Message.Notification UPDATED =
      new Message.Notification("notifications/resources/updated", object("{\"uri\": \"a\"}"));

  private final Hub hub = new Hub();

  @Test
  void aSessionHearsOfTheServersOfItsEndpoint() throws Exception {
    Session all = joined(null);
    Session one = joined("one");
    hub.heard("two", TOOLS);

    assertThat(heard(all)).isEqualTo(TOOLS);
    assertThat(heard(one)).isNull();
    hub.heard("one", TOOLS);
    assertThat(heard(one)).isEqualTo(TOOLS);
  }

  @Test
  void aResourceIsHeardOfByThoseWhoSubscribed() throws Exception {
    Session subscribed = joined(null);
    Session other = joined(null);
    hub.subscribe(subscribed, "a");
    hub.heard("one", UPDATED);

    assertThat(heard(subscribed)).isEqualTo(UPDATED);
    assertThat(heard(other)).isNull();
    assertThat(hub.wanted("a")).isTrue();
    hub.unsubscribe(subscribed, "a");
    hub.heard("one", UPDATED);
    assertThat(heard(subscribed)).isNull();
    assertThat(hub.wanted("a")).isFalse();
  }

  @Test
  void aClosedSessionHearsNothingAndWantsNothing() throws Exception {
    Session session = joined(null);
    hub.subscribe(session, "a");
    session.close();
    hub.heard("one", TOOLS);

    assertThat(heard(session)).isNull();
    assertThat(hub.wanted("a")).isFalse();
  }

  @Test
  void aStreamHearsWhatItAskedForUnderItsId() throws Exception {
    Talk talk =
        Sessions.talk(
            "subscriptions/listen",
            "{\"notifications\": {\"toolsListChanged\": true, \"resourceSubscriptions\": [\"a\"]}}");
    assertThat(hub.open(talk, Sessions.of(Revision.V2026_07_28, "{}", null), List.of()))
        .containsExactly("a");
    hub.heard("one", TOOLS);
    hub.heard("one", UPDATED);
    hub.heard(
        "one", new Message.Notification("notifications/prompts/list_changed", JsonObject.EMPTY));

    List<Message> said = Sessions.said(talk);
    assertThat(said)
        .extracting(message -> ((Message.Notification) message).method())
        .containsExactly(
            "notifications/subscriptions/acknowledged", TOOLS.method(), UPDATED.method());
    assertThat(said)
        .allSatisfy(
            message ->
                assertThat(((Message.Notification) message).params().object("_meta").toString())
                    .contains("subscriptionId"));
    hub.close(talk);
    hub.heard("one", TOOLS);
    assertThat(Sessions.said(talk)).isEmpty();
    assertThat(hub.wanted("a")).isFalse();
  }

  @Test
  void everyStreamIsToldOfTheEnd() throws Exception {
    Talk talk = Sessions.talk("subscriptions/listen", "{\"notifications\": {}}");
    hub.open(talk, Sessions.of(Revision.V2026_07_28, "{}", null), List.of());
    hub.closeAll();

    assertThat(Sessions.said(talk).getLast())
        .isInstanceOfSatisfying(
            Message.Result.class,
            end -> assertThat(end.result().textAt("resultType")).isEqualTo("complete"));
  }

  private Session joined(@Nullable String server) {
    Session session = Sessions.of(Revision.V2025_11_25, "{}", server);
    hub.join(session);
    return session;
  }

  private static @Nullable Message heard(Session session) throws InterruptedException {
    return session.next(Duration.ZERO);
  }
}
