package dev.callbound.gateway.door.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.bridge.Client;
import dev.callbound.gateway.door.ScriptedBridge;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private final AtomicLong now = new AtomicLong();
  private final ScriptedBridge bridge = new ScriptedBridge();
  private final Sessions sessions = new Sessions(2, now::get);

  @Test
  void sessionThatNobodyUsesExpires() {
    Session idle = opened("a");
    sessions.unuse(idle);
    opened("b");
    now.addAndGet(Sessions.IDLE.toNanos());

    sessions.expire();

    assertThat(sessions.count()).as("b is in use").isEqualTo(1);
    assertThat(idle.use()).isFalse();
    assertThat(bridge.guests.getFirst().closed.getCount()).isZero();
  }

  @Test
  void sessionIsKeptWhileItIsUsedNowAndThen() throws Exception {
    sessions.unuse(opened("a"));
    now.addAndGet(Sessions.IDLE.minusSeconds(1).toNanos());
    sessions.unuse(sessions.use("a", "local", null));
    now.addAndGet(Sessions.IDLE.minusSeconds(1).toNanos());

    sessions.expire();

    assertThat(sessions.count()).isEqualTo(1);
  }

  @Test
  void theOneThatIsIdleLongestMakesRoom() {
    Session first = opened("a");
    Session second = opened("b");
    sessions.unuse(first);
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    sessions.unuse(second);

    assertThat(sessions.makeRoom()).isTrue();
    assertThat(first.use()).isFalse();
    assertThat(second.use()).isTrue();
  }

  @Test
  void whatIsInUseMakesNoRoom() {
    opened("a");
    opened("b");

    assertThat(sessions.makeRoom()).isFalse();
  }

  @Test
  void noMoreEventsAreKeptThanAllowed() {
    Session session = opened("a");
    for (int i = 0; i < Session.KEPT_EVENTS + 5; i++) {
      session.event(new Message.Notification("n", JsonObject.EMPTY));
    }

    assertThat(session.eventsAfter(0)).hasSize(Session.KEPT_EVENTS);
    assertThat(session.eventsAfter(103)).hasSize(2);
  }

  private Session opened(String id) {
    Client client =
        bridge.greet(
            new Bridge.Greeting(
                "local", Revision.V2025_11_25, JsonObject.EMPTY, JsonObject.EMPTY, null, id));
    return sessions.open(id, "local", null, client);
  }
}
