package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.CircuitsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;

/** What keeps calls from the servers, over HTTP, for programs. */
final class CircuitsRoutes implements HttpService {
  private final Api api;
  private final CircuitsPort circuits;

  CircuitsRoutes(Gate gate, CircuitsPort circuits) {
    this.api = new Api(gate);
    this.circuits = circuits;
  }

  @Override
  public void routing(HttpRules rules) {
    rules.get(
        "/", (request, response) -> api.answer(request, response, (principal, asked) -> all()));
  }

  private Api.Reply all() {
    Json shut = Json.array(circuits.circuits().stream().map(CircuitsRoutes::json).toList());
    Json servers = Json.array(circuits.crowds().stream().map(CircuitsRoutes::json).toList());
    return new Api.Reply(Status.OK_200, JsonObject.of("circuits", shut).with("servers", servers));
  }

  private static Json json(CircuitsPort.Circuit circuit) {
    JsonObject json = JsonObject.of("server", Json.text(circuit.server()));
    if (circuit.tool() != null) {
      json = json.with("tool", Json.text(circuit.tool()));
    }
    json =
        json.with("bar", Json.text(circuit.bar()))
            .with("state", Json.text(circuit.state()))
            .with("since", Json.text(circuit.since().toString()))
            .with("until", Json.text(circuit.until().toString()));
    return (circuit.failure() == null ? json : json.with("failure", Json.text(circuit.failure())))
        .toJson();
  }

  private static Json json(CircuitsPort.Crowd crowd) {
    JsonObject json =
        JsonObject.of("server", Json.text(crowd.server()))
            .with("in_flight", Json.number(crowd.inFlight()))
            .with("waiting", Json.number(crowd.waiting()));
    return (crowd.atOnce() == null ? json : json.with("at_once", Json.number(crowd.atOnce())))
        .toJson();
  }
}
