package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.journal.CallRecord;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Means;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is to be called, and how: put together once, from what a client asked or from what the
 * journal kept of it.
 *
 * @param tool the tool's name at its server
 * @param params the parameters as the server gets them, but for a key or a marker
 * @param caller the client on whose behalf the server is spoken to
 * @param mirrored arguments that the tool's schema wants in headers, by the header's name
 * @param keyUntil when the provider forgets the key; null for never
 */
record Order(
    ServerTools server,
    String tool,
    ToolConfig bounds,
    JsonObject params,
    Exchange.Caller caller,
    Map<String, String> mirrored,
    Run run,
    CallRecord record,
    @Nullable Deadline keyUntil) {

  /** The arguments as the client gave them; empty where there are none. */
  Json arguments() {
    Json arguments = params.get("arguments");
    return arguments == null ? JsonObject.EMPTY.toJson() : arguments;
  }

  /** What pays for its attempts. */
  Means means() {
    return new Means(run.budget(), run.spend(), bounds.price());
  }

  /** The key of a call that has one. */
  String key() {
    return Objects.requireNonNull(record.key(), "every write has a key");
  }

  /** Whether a person must say that it may be made. */
  boolean needsApproval() {
    return bounds.waiting().approve().isFor(tool, server.mayDestroy(tool, record.effect()));
  }

  /** How the repeat of this call is recognised; a read needs nothing. */
  Recognise recognise() {
    return recognise(bounds, record.effect(), params);
  }

  /**
   * How the repeat of a call is recognised.
   *
   * <p>A marker is added to what the client wrote, and makes nothing out of nothing: where the
   * client left the argument out, the marker would change what the call does, and so the call is
   * not recognised.
   */
  static Recognise recognise(ToolConfig bounds, Effect effect, JsonObject params) {
    if (effect == Effect.READ) {
      return new Recognise.Nothing();
    }
    Recognise recognise = bounds.recognise();
    Recognise.Marker marker =
        recognise instanceof Recognise.ByCheck byCheck ? byCheck.marker() : null;
    boolean nowhere =
        marker != null
            && marker.append()
            && params.object("arguments").get(marker.argument()) == null;
    return nowhere ? new Recognise.Nothing() : recognise;
  }

  /** The parameters as the server gets them. */
  Carried carried() {
    return Carried.of(params, recognise(), record.key());
  }
}
