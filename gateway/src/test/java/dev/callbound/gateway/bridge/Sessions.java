package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clients and conversations for tests of the bridge. */
final class Sessions {
  private Sessions() {}

  static Session of(Revision revision, String capabilities, @Nullable String server) {
    return new Session(
        new Bridge.Greeting(
            "local",
            revision,
            JsonObject.of("name", Json.text("test")),
            object(capabilities),
            server,
            revision.hasSessions() ? "s" : null));
  }

  static Talk talk(String method, String params) {
    return new Talk(new Message.Request(Json.number(1), method, object(params)));
  }

  static JsonObject object(String json) {
    return Json.of(json).asObject().orElseThrow();
  }

  /** What there is to say now, in order. */
  static List<Message> said(Talk talk) throws InterruptedException {
    List<Message> all = new ArrayList<>();
    for (Message next; (next = talk.next(Duration.ZERO)) != null; ) {
      all.add(next);
    }
    return all;
  }

  /** The next thing that is said, waited for. */
  static Message next(Talk talk) throws InterruptedException {
    Message next = talk.next(Duration.ofSeconds(10));
    if (next == null) {
      throw new AssertionError("nothing was said");
    }
    return next;
  }
}
