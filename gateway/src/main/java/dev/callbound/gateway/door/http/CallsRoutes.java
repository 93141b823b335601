package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.CallsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The calls over HTTP, for programs: look at one, settle one that is unknown, rule on one. */
final class CallsRoutes implements HttpService {
  private final Api api;
  private final CallsPort calls;

  CallsRoutes(Gate gate, CallsPort calls) {
    this.api = new Api(gate);
    this.calls = calls;
  }

  @Override
  public void routing(HttpRules rules) {
    rules
        .get("/{id}", (request, response) -> api.answer(request, response, this::find))
        .post("/{id}/settle", (request, response) -> api.answer(request, response, this::settle))
        .post("/{id}/approve", (request, response) -> api.answer(request, response, ruling(true)))
        .post("/{id}/deny", (request, response) -> api.answer(request, response, ruling(false)));
  }

  private Api.Reply find(String principal, ServerRequest request) {
    String id = Api.id(request);
    return calls
        .find(principal, id)
        .map(call -> new Api.Reply(Status.OK_200, CallJson.of(call)))
        .orElseGet(() -> missing(id));
  }

  private Api.Reply settle(String principal, ServerRequest request) throws RefusedException {
    String id = Api.id(request);
    JsonObject body = Api.body(request, "landed", "note");
    return reply(id, calls.settle(principal, id, landed(body), Api.text(body, "note")));
  }

  private Api.Action ruling(boolean approved) {
    return (principal, request) -> {
      String id = Api.id(request);
      JsonObject body = Api.body(request, "note");
      return reply(id, calls.rule(principal, id, approved, Api.text(body, "note")));
    };
  }

  private static Api.Reply reply(String id, Optional<CallsPort.Settling> changed) {
    return changed
        .map(
            change ->
                switch (change) {
                  case CallsPort.Settling.Done(CallsPort.Call call) ->
                      new Api.Reply(Status.OK_200, CallJson.of(call));
                  case CallsPort.Settling.Refused(String code, String message) ->
                      Api.failed(Status.CONFLICT_409, code, message);
                })
        .orElseGet(() -> missing(id));
  }

  private static @Nullable Boolean landed(JsonObject body) throws RefusedException {
    Json landed = body.get("landed");
    if (landed == null) {
      return null;
    }
    if (!landed.equals(Json.TRUE) && !landed.equals(Json.FALSE)) {
      throw Api.invalid(
          "landed must be true or false; leave it out to have the provider asked: " + landed);
    }
    return landed.isTrue();
  }

  private static Api.Reply missing(String id) {
    return Api.failed(Status.NOT_FOUND_404, "not_found", "no call has the id " + id);
  }
}
