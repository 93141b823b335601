package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server gets of a request: the client's parameters, with the key or the marker where its
 * tool takes it. A key that a client sent in the same place is replaced: a model that mints keys
 * mints a new one for each attempt.
 *
 * @param headers what goes into the HTTP header besides
 * @param complaint why the parameters can't carry it; null when they do
 */
record Carried(JsonObject params, Map<String, String> headers, @Nullable String complaint) {
  /** The parameters of a call with what its recognition adds. */
  static Carried of(JsonObject params, Recognise recognise, @Nullable String key) {
    if (key == null) {
      return plain(params);
    }
    return switch (recognise) {
      case Recognise.Nothing _ -> plain(params);
      case Recognise.ByKey byKey -> withKey(params, byKey, Json.text(key), key);
      case Recognise.ByCheck byCheck -> {
        Recognise.Marker marker = byCheck.marker();
        yield marker == null ? plain(params) : withMarker(params, marker, key);
      }
    };
  }

  /** The client's own arguments: without what only the gateway puts there. */
  static JsonObject withoutKey(JsonObject params, Recognise recognise) {
    return hidden(recognise)
        .map(name -> params.with("arguments", params.object("arguments").without(name)))
        .filter(_ -> params.get("arguments") != null)
        .orElse(params);
  }

  /** The argument that a model is not shown, because the gateway fills it in. */
  static Optional<String> hidden(Recognise recognise) {
    return recognise instanceof Recognise.ByKey(Recognise.Carrier carrier, String name, _)
            && carrier == Recognise.Carrier.ARGUMENT
        ? Optional.of(name)
        : Optional.empty();
  }

  private static Carried plain(JsonObject params) {
    return new Carried(params, Map.of(), null);
  }

  private static Carried withKey(JsonObject params, Recognise.ByKey byKey, Json value, String key) {
    String name = byKey.name();
    return switch (byKey.carrier()) {
      case ARGUMENT ->
          plain(params.with("arguments", params.object("arguments").with(name, value)));
      case META -> plain(params.with("_meta", params.object("_meta").with(name, value)));
      case PARAM -> plain(params.with(name, value));
      case HEADER -> new Carried(params, Map.of(name, key), null);
    };
  }

  private static Carried withMarker(JsonObject params, Recognise.Marker marker, String key) {
    JsonObject arguments = params.object("arguments");
    Json before = arguments.get(marker.argument());
    String text = marker.with(key);
    if (marker.append() && before != null && !before.isText()) {
      return new Carried(
          params,
          Map.of(),
          "the marker by which a repeat is recognised can't be added to the argument "
              + marker.argument()
              + ", which is not a text");
    }
    String whole = marker.append() && before != null ? before.asText().orElseThrow() + text : text;
    return plain(params.with("arguments", arguments.with(marker.argument(), Json.text(whole))));
  }
}
