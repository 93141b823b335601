package dev.callbound.gateway.door.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;

/**
 * Answers to requests that the server turns away before a handler sees them: too large, not HTTP.
 */
final class TransportErrors implements DirectHandler {
  /** What the server says, and nothing else, of headers over the limit. */
  private static final String HEADERS_TOO_LARGE = "Header size exceeded";

  private final int maxRequestBytes;
  private final int maxHeaderBytes;

  TransportErrors(int maxRequestBytes, int maxHeaderBytes) {
    this.maxRequestBytes = maxRequestBytes;
    this.maxHeaderBytes = maxHeaderBytes;
  }

  DirectHandlers forAll() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (EventType type : EventType.values()) {
      handlers.addHandler(type, this);
    }
    return handlers.build();
  }

  @Override
  public TransportResponse handle(
      TransportRequest request,
      EventType type,
      Status status,
      ServerResponseHeaders headers,
      String message) {
    return switch (status.code()) {
      case Status.REQUEST_ENTITY_TOO_LARGE_413_CODE -> {
        String text = "the request is larger than max_request, " + maxRequestBytes + " bytes";
        yield isOfProgram(request)
            ? ofApi(status, headers, "too_large", text)
            : response(status, headers, text);
      }
      case Status.NOT_FOUND_404_CODE ->
          isOfProgram(request)
              ? ofApi(
                  status,
                  headers,
                  "not_found",
                  "nothing here answers %s; see /v1/runs, /v1/calls/ID and /v1/circuits"
                      .formatted(request.method()))
              : TransportResponse.builder()
                  .status(status)
                  .headers(headers)
                  .header(HeaderNames.CONTENT_TYPE, "text/plain")
                  .entity("Nothing here. MCP is at /mcp, and at /mcp/SERVER for one server.\n")
                  .build();
      case Status.BAD_REQUEST_400_CODE -> badRequest(headers, message);
      default -> response(status, headers, status.reasonPhrase());
    };
  }

  private static boolean isOfProgram(TransportRequest request) {
    return request.path().startsWith(Api.PATH);
  }

  private static TransportResponse ofApi(
      Status status, ServerResponseHeaders headers, String code, String message) {
    return json(status, headers, Api.failed(status, code, message).body().toJson().toBytes());
  }

  private TransportResponse badRequest(ServerResponseHeaders headers, String message) {
    return HEADERS_TOO_LARGE.equals(message)
        ? response(
            Status.create(431, "Request Header Fields Too Large"),
            headers,
            "the headers are larger than max_header, " + maxHeaderBytes + " bytes")
        : response(Status.BAD_REQUEST_400, headers, "not a request that HTTP allows");
  }

  private static TransportResponse response(
      Status status, ServerResponseHeaders headers, String message) {
    var error =
        new Message.ErrorResponse(
            Json.NULL,
            RpcError.of(
                status.family() == Status.Family.SERVER_ERROR
                    ? RpcError.INTERNAL_ERROR
                    : RpcError.INVALID_REQUEST,
                message));
    return json(status, headers, error.toBytes());
  }

  private static TransportResponse json(
      Status status, ServerResponseHeaders headers, byte[] entity) {
    return TransportResponse.builder()
        .status(status)
        .headers(headers)
        .header(HeaderNames.CONTENT_TYPE, MediaRules.JSON)
        .entity(entity)
        .build();
  }
}
