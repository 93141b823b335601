package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.RpcError;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether an error answer means that the server does not know the session any more. A 404 to a
 * request with a session does (MCP 2025-11-25, Session Management); what else does was learned from
 * servers in the field.
 */
enum SessionLoss {
  /** It has nothing to do with the session. */
  NONE,
  /** It may be the session: worth one renewal, and final after it. */
  LIKELY,
  /** The answer says so. */
  NAMED;

  /** What several SDKs answer for a session that they do not know; also used for other things. */
  private static final int UNKNOWN_SESSION = -32001;

  private static final Pattern WORD = Pattern.compile("\\bsession", Pattern.CASE_INSENSITIVE);
  private static final Pattern SENTENCE =
      Pattern.compile(
          "session.{0,60}(not found|unknown|expired|invalid|terminated|not exist|no longer|required)"
              + "|(unknown|expired|invalid|no valid|no such|missing).{0,20}session"
              + "|server not initialized",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /**
   * Reads an error answer to a request that carried a session's id.
   *
   * @param error the JSON-RPC error in the body; null for none
   * @param body the text of the body
   */
  static SessionLoss of(int status, @Nullable RpcError error, String body) {
    return switch (status) {
      // Many a 400 is about an argument that happens to be called a session.
      case 400 -> SENTENCE.matcher(body).find() ? NAMED : NONE;
      case 503 -> WORD.matcher(body).find() ? NAMED : NONE;
      case 404 -> {
        if (WORD.matcher(body).find()) {
          yield NAMED;
        }
        yield error == null || error.code() == UNKNOWN_SESSION ? LIKELY : NONE;
      }
      case 200 ->
          error != null
                  && error.code() == UNKNOWN_SESSION
                  && SENTENCE.matcher(error.message()).find()
              ? NAMED
              : NONE;
      default -> NONE;
    };
  }
}
