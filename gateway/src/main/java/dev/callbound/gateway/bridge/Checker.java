package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a provider whether the effect of a call is there: calls a read tool of the same server, a
 * bounded call itself, follows its pages, and looks for what the call left behind.
 *
 * <p>Found once, it has landed. Found several times, or not for sure, is no answer. Not found, it
 * is absent; where the provider's index lags, only when that was so twice, long enough after the
 * attempt.
 */
final class Checker {
  /** A pause between two looks at an index that lags, at least. */
  private static final Duration LEAST_PAUSE = Duration.ofMillis(250);

  private final ServerTools server;
  private final Recognise.Probe probe;
  private final Json arguments;
  private final String key;
  private final String text;
  private final Exchange.Caller caller;
  private final Cancellation cancellation;

  /**
   * A checker of one call.
   *
   * @param arguments the arguments of the call that is asked about, as its client gave them
   */
  Checker(
      ServerTools server,
      Recognise.ByCheck how,
      Json arguments,
      String key,
      Exchange.Caller caller,
      Cancellation cancellation) {
    this.server = server;
    this.probe = how.check();
    Recognise.Marker marker = how.marker();
    this.text = marker == null || marker.append() ? key : marker.with(key);
    this.arguments = arguments;
    this.key = key;
    this.caller = caller;
    this.cancellation = cancellation;
  }

  /**
   * Asks. On this thread, which an interrupt frees.
   *
   * @param by when to give up
   * @param attemptEnded the reading of the monotonic clock when the last attempt was given up
   */
  Finding<Json> ask(Deadline by, long attemptEnded) {
    ServerTools.Tool listed = server.tool(probe.tool(), caller);
    Effect effect =
        listed == null ? server.effect(probe.tool(), null).effect() : listed.effect().effect();
    if (effect == Effect.WRITE) {
      return unclear("it is a tool that writes; a check must only look");
    }
    JsonObject filled = Templates.fill(Json.of(probe.arguments()), arguments, key);
    if (filled == null) {
      return unclear("its arguments name something that the call does not have");
    }
    Duration settles = probe.settlesAfter();
    Finding<Json> first = look(filled, by);
    if (settles == null || !(first instanceof Finding.Absent<Json>)) {
      return first;
    }
    return again(filled, by, new Deadline(attemptEnded + settles.toNanos()), settles);
  }

  private Finding<Json> again(JsonObject filled, Deadline by, Deadline settled, Duration settles) {
    Duration between = settles.dividedBy(4);
    Deadline next = settled;
    for (int look = 1; look <= 2; look++) {
      if (by.isBefore(next)) {
        return unclear("it found nothing yet, and there was no time to ask when that counts");
      }
      try {
        cancellation.sleep(next.left(cancellation));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return unclear("it was cancelled before it could ask when that counts");
      }
      Finding<Json> found = look(filled, by);
      if (!(found instanceof Finding.Absent<Json>)) {
        return found;
      }
      next =
          Deadline.after(between.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : between, cancellation);
    }
    return new Finding.Absent<>();
  }

  private Finding<Json> look(JsonObject filled, Deadline by) {
    List<Json> things = new ArrayList<>();
    Recognise.Pages pages = probe.pages();
    JsonObject asked = filled;
    Json cursor = Json.NULL;
    int most = pages == null ? 1 : pages.most();
    for (int page = 1; page <= most; page++) {
      Duration left = by.left(cancellation);
      if (left.isZero()) {
        return unclear("there was no time left to ask");
      }
      Duration timeout = left.compareTo(probe.deadline()) < 0 ? left : probe.deadline();
      PlainRequest.Answer answer =
          PlainRequest.check(
                  server,
                  probe.tool(),
                  asked,
                  timeout,
                  left,
                  probe.attempts(),
                  caller,
                  cancellation)
              .make();
      Json result;
      switch (answer) {
        case PlainRequest.Answer.Failed(var error) -> {
          return unclear(error.message());
        }
        case PlainRequest.Answer.Result(Json given) -> result = given;
      }
      if (ToolResults.isError(result)) {
        String text = TextStatus.firstText(result);
        return unclear("it reported an error of its own" + (text == null ? "" : ": " + text));
      }
      switch (Sighting.in(result, probe.found(), arguments, text)) {
        case Sighting.Unreadable(String why) -> {
          return unclear(why);
        }
        case Sighting.Seen(List<Json> seen) -> things.addAll(seen);
      }
      if (pages == null) {
        return finding(things);
      }
      Json next = cursor(result, pages.cursor());
      if (next == null) {
        return finding(things);
      }
      if (next.equals(cursor)) {
        return unclear("its pages have no end");
      }
      cursor = next;
      asked = filled.with(pages.argument(), next);
    }
    return unclear("its pages are more than " + most);
  }

  private static @Nullable Json cursor(Json page, String pointer) {
    Json cursor = Sighting.at(page, pointer);
    boolean none =
        cursor == null
            || cursor.isNull()
            || cursor.equals(Json.FALSE)
            || cursor.asText().filter(String::isEmpty).isPresent();
    return none ? null : cursor;
  }

  private Finding<Json> finding(List<Json> things) {
    return switch (things.size()) {
      case 0 -> new Finding.Absent<>();
      case 1 -> new Finding.Landed<>(ToolResults.of(things.getFirst()));
      default -> unclear("it found the effect " + things.size() + " times");
    };
  }

  private Finding<Json> unclear(String why) {
    return new Finding.Unclear<>("the check by " + probe.tool() + ": " + why);
  }
}
