package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.FailureText;
import dev.callbound.gateway.upstream.HttpStatuses;
import dev.callbound.gateway.upstream.RpcFailures;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.policy.RetryAfter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From the response of a POST to what it says about the request: its answer, or a failure. An
 * answer comes as one JSON message or at some place in a stream of events. Thread-safe.
 */
final class AnswerReader {
  /** A message is larger than its result by the envelope, white space included. */
  private static final int ENVELOPE_BYTES = 4_096;

  /** The text of an error is looked at so far. */
  private static final int ERROR_BYTES = 65_536;

  private final Set<Integer> refusedStatuses;
  private final Redaction redaction;
  private final InstantSource clock;
  private final StreamReader streams;

  /**
   * @param refusedStatuses 5xx statuses by which the server says that it did not do the request
   */
  AnswerReader(
      Set<Integer> refusedStatuses,
      Redaction redaction,
      InstantSource clock,
      StreamReader streams) {
    this.refusedStatuses = refusedStatuses;
    this.redaction = redaction;
    this.clock = clock;
    this.streams = streams;
  }

  /** Reads the response, and closes it. */
  Try read(Answer answer, InFlight waiting, Terms terms, Exchange exchange, Evidence evidence)
      throws IOException {
    try (answer) {
      if (answer.status() >= 400) {
        return error(answer, waiting, terms, exchange, evidence);
      }
      if (answer.status() < 200 || answer.status() > 299) {
        return done(new Failure.Garbled("status " + answer.status() + " for a request"));
      }
      int limit =
          (int) Math.min(exchange.maxResultBytes() + ENVELOPE_BYTES, Integer.MAX_VALUE - 64);
      Message.Response response;
      if (answer.mediaType().equals("text/event-stream")) {
        switch (streams.await(answer, waiting, terms, exchange, limit)) {
          case StreamReader.End.Answered(Message.Response found) -> response = found;
          case StreamReader.End.Lost(Failure failure) -> {
            return done(failure);
          }
        }
      } else {
        byte[] body = BoundedBody.read(answer.body(), answer.announcedBytes(), limit);
        Message message = message(body);
        if (message == null) {
          return done(redaction.of(garbled(answer, body)));
        }
        if (!(message instanceof Message.Response found) || !waiting.isAnswer(found)) {
          return done(new Failure.Garbled("the answer is not one to this request"));
        }
        response = found;
      }
      return result(response, answer, terms, exchange, evidence);
    }
  }

  private Try result(
      Message.Response response, Answer answer, Terms terms, Exchange exchange, Evidence evidence) {
    return switch (response) {
      case Message.Result(_, Json result) ->
          result.length() > exchange.maxResultBytes()
              ? done(new Failure.TooLarge(result.length(), exchange.maxResultBytes()))
              : new Try.Done(new Reply.Answered<>(result), answer.header(Headers.SESSION));
      case Message.ErrorResponse(_, RpcError error) -> {
        Failure failure = redaction.of(RpcFailures.of(error, refusedStatuses, clock.instant()));
        Try over = termsOver(answer.status(), error, error.message(), failure, terms);
        if (over != null) {
          evidence.notTaken();
          yield over;
        }
        exchange.errorAnswer(redaction.of(error));
        yield done(failure);
      }
    };
  }

  private Try error(
      Answer answer, InFlight waiting, Terms terms, Exchange exchange, Evidence evidence)
      throws IOException {
    byte[] body = BoundedBody.begin(answer.body(), ERROR_BYTES);
    RpcError error =
        message(body) instanceof Message.ErrorResponse response && waiting.isAnswer(response)
            ? response.error()
            : null;
    Instant now = clock.instant();
    Duration wait =
        RetryAfter.parse(answer.header("Retry-After"), answer.header("Date"), now).orElse(null);
    if (wait == null && error != null) {
      wait = RpcFailures.retryAfter(error, now);
    }
    Failure failure =
        answer.status() > 599
            ? new Failure.Garbled("status " + answer.status())
            : redaction.of(
                HttpStatuses.failure(answer.status(), wait, said(answer, body), refusedStatuses));
    String text = new String(body, StandardCharsets.UTF_8);
    Try over = termsOver(answer.status(), error, text, failure, terms);
    if (over != null) {
      if (over instanceof Try.TermsOver) {
        evidence.notTaken();
      }
      return over;
    }
    if (error != null) {
      exchange.errorAnswer(redaction.of(error));
    }
    if (!failure.mayHaveRun()) {
      evidence.notTaken();
    }
    return done(failure);
  }

  private static String said(Answer answer, byte[] body) {
    String said = FailureText.ofBody(body);
    String remark = answer.remark();
    if (remark == null) {
      return said;
    }
    return said.isEmpty() ? remark : said + "; " + remark;
  }

  /** Whether an error answer says that what was agreed on holds no longer; null if it does not. */
  private static @Nullable Try termsOver(
      int status, @Nullable RpcError error, String text, Failure failure, Terms terms) {
    if (terms.session() != null) {
      switch (SessionLoss.of(status, error, text)) {
        case NAMED -> {
          if (status == 503) {
            // What is said with a 503 proves nothing about the request.
            return new Try.FailedAndOver(failure);
          }
          String detail = "session lost: " + failure.detail();
          return new Try.TermsOver(detail, new Failure.NotSent(detail));
        }
        case LIKELY -> {
          return new Try.TermsOver("session lost: " + failure.detail(), failure);
        }
        case NONE -> {
          // Something else was wrong.
        }
      }
    }
    return error != null && status == 400 && isWrongEra(error, terms)
        ? new Try.TermsOver("the server speaks another revision now: " + failure.detail(), failure)
        : null;
  }

  private static boolean isWrongEra(RpcError error, Terms terms) {
    boolean modern = Dialect.speaks2026(error);
    return terms.revision().hasSessions()
        ? modern && error.code() != RpcError.MISSING_CAPABILITY
        : error.code() == RpcError.UNSUPPORTED_REVISION && !modern;
  }

  private static Failure garbled(Answer answer, byte[] body) {
    if (body.length == 0) {
      return new Failure.Garbled("status " + answer.status() + " with an empty body");
    }
    return new Failure.Garbled("not a JSON-RPC message: " + FailureText.ofBody(body));
  }

  private static @Nullable Message message(byte[] body) {
    try {
      return Message.parse(body);
    } catch (MalformedMessageException _) {
      return null;
    }
  }

  private static Try done(Failure failure) {
    return new Try.Done(Reply.failed(failure), null);
  }
}
