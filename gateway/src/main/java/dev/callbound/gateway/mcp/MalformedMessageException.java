package dev.callbound.gateway.mcp;

/** Bytes that are not what they should be: not JSON, or not a JSON-RPC message. */
public final class MalformedMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * @param code the JSON-RPC error code that says it best: {@link RpcError#PARSE_ERROR} or {@link
   *     RpcError#INVALID_REQUEST}
   * @param message what was wrong and where, without quoting the content
   */
  public MalformedMessageException(int code, String message) {
    super(message);
    this.code = code;
  }

  /** The JSON-RPC error code that says it best. */
  public int code() {
    return code;
  }
}
