package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Understands what a server says about a key: that it was used for something else, or that the
 * request which came first under it is still being worked on (the HTTP header Idempotency-Key,
 * draft-ietf-httpapi-idempotency-key-header §2.7: 422 and 409).
 *
 * <p>To be told "still at it" is no failure. The question is put again until it is answered, within
 * the attempt and its deadline: under the same key it is a question, not a second request.
 */
final class KeyedAnswer {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private static final int CONFLICT = 409;
  private static final int UNPROCESSABLE = 422;

  private static final Pattern KEY = Pattern.compile("(?i)idempoten|\\bkey\\b");
  private static final Pattern OTHER_USE =
      Pattern.compile(
          "(?i)conflict|mismatch|does not match|differ|\\bother\\b|re-?used?\\b|already used");
  private static final Pattern AT_IT =
      Pattern.compile("(?i)in[ _-]progress|in[ _-]flight|process|pending|concurrent|still ");
  private static final Pattern FOR_GOOD =
      Pattern.compile("(?i)already exists|duplicate|version|stale|modified|precondition");

  private KeyedAnswer() {}

  /**
   * Sends a request that carries a key, and asks again while the server is still at the first.
   *
   * <p>Ends when the thread is interrupted, as every request does.
   *
   * @param live the attempt that all of it is
   */
  static Reply<Json> send(Supplier<Reply<Json>> request, Live live) {
    Duration pause = FIRST_PAUSE;
    while (true) {
      Reply<Json> reply = request.get();
      if (!(reply instanceof Reply.Failed<Json>(Failure.Refused(int code, String detail), _))) {
        return live.believed(reply);
      }
      if (isOtherUse(code, detail)) {
        return Reply.failed(new Failure.KeyConflict(detail));
      }
      if (!isAtIt(code, detail)) {
        return reply;
      }
      live.arrived();
      try {
        Thread.sleep(pause);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return Reply.failed(new Failure.Broken("ended while the server was still at it"));
      }
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
  }

  private static boolean isOtherUse(int code, String detail) {
    boolean said = KEY.matcher(detail).find() && OTHER_USE.matcher(detail).find();
    boolean inProgress = code == CONFLICT && AT_IT.matcher(detail).find();
    return (said && !inProgress) || (code == UNPROCESSABLE && KEY.matcher(detail).find());
  }

  private static boolean isAtIt(int code, String detail) {
    boolean said = KEY.matcher(detail).find() && AT_IT.matcher(detail).find();
    return code == CONFLICT ? said || !FOR_GOOD.matcher(detail).find() : said && code < 0;
  }
}
