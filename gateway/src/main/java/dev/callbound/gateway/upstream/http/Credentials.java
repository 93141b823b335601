package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.HeadersCommand;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.upstream.Shared;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header fields by which a server knows us, where a command prints them: fetched before the
 * first request, and kept. A request that is answered 401 was not done. So the fields that it
 * carried are fetched anew, once for all whom that happened to, and each of them is sent once more.
 * Thread-safe.
 *
 * <p>Where that brings nothing new, the 401 stands. Who lets requests in is to see to it that there
 * are few of them then (the circuit of a server's credentials); this class sees to it that no two
 * of them that come close together make the command run twice.
 */
final class Credentials implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Credentials.class.getName());

  private static final int UNAUTHORIZED = 401;

  /**
   * What is so young is not fetched anew: fields, if they never worked, and a failure to fetch any.
   * The next would be no better.
   */
  private static final Duration FRESH = Duration.ofSeconds(1);

  /** More than it takes to end a command and all that it started. */
  private static final Duration END_PATIENCE = Duration.ofSeconds(5);

  private static final Failure STOPPING = new Failure.NotSent("the gateway is stopping");

  /** Sends a request with these fields. */
  @FunctionalInterface
  interface Sending {
    Answer with(Map<String, Secret> fields) throws IOException;
  }

  /**
   * The fields that one run of the command left us with. Those of two runs are never the same ones,
   * even when they read alike: who was refused is told so by what was fetched after.
   */
  static final class Held {
    private final Map<String, Secret> fields;
    private final String origin;
    private final long since = System.nanoTime();
    private volatile boolean worked;

    /**
     * @param origin why nothing better than these is to be had, should they be refused
     */
    private Held(Map<String, Secret> fields, String origin) {
      this.fields = fields;
      this.origin = origin;
    }

    private boolean isFresh() {
      return !worked && isRecent(since);
    }
  }

  /** A run of the command that left us with no fields at all. */
  private record Failed(Failure failure, long since) {}

  private final String server;
  private final HeadersFetch fetch;
  private final Secrets secrets;
  private final Shared<Held> shared;

  /** What the last run of the command left. Written by the runs alone, of which there is one. */
  private volatile @Nullable Held last;

  /** The last run that failed before there was anything to hold. Written as the last is. */
  private volatile @Nullable Failed failed;

  private volatile boolean closed;

  /**
   * @param server the server's name
   * @param secrets learns every value that is fetched
   */
  Credentials(String server, HeadersFetch fetch, Secrets secrets) {
    this.server = server;
    this.fetch = fetch;
    this.secrets = secrets;
    this.shared = new Shared<>(server + " headers");
  }

  /** Those of a server; null where no command prints any. */
  static @Nullable Credentials of(ServerConfig.Http transport, String server, Secrets secrets) {
    HeadersCommand command = transport.headersCommand();
    return command == null
        ? null
        : new Credentials(
            server,
            new HeadersFetch(command, server, transport.url(), HeadersFetch.LIMIT),
            secrets);
  }

  /** What is held now; fetched first if nothing is, or waited for. */
  Reply<Held> current() throws InterruptedException {
    return shared.obtain(this::run);
  }

  /**
   * Sends a request, and once more if that is answered 401 and other fields can be had.
   *
   * @return the last answer; where it is a 401, it {@linkplain Answer#remark says} why there is no
   *     better one
   * @throws InterruptedIOException when the thread was interrupted; the flag is set again
   * @throws IOException if there are no fields to send it with, or it can't be sent
   */
  Answer send(Sending sending, Evidence evidence) throws IOException {
    Held held = held(evidence);
    Answer answer = sentWith(held, sending);
    if (answer.status() != UNAUTHORIZED) {
      return answer;
    }
    // Who wants other credentials did nothing on these.
    evidence.notTaken();
    Held other;
    try (answer) {
      other = after(held, evidence);
      if (other.fields.equals(held.fields)) {
        return answer.handOver().remark(other.origin);
      }
    }
    evidence.note("credentials renewed");
    Answer second = sentWith(other, sending);
    return second.status() == UNAUTHORIZED ? second.remark(other.origin) : second;
  }

  private static Answer sentWith(Held held, Sending sending) throws IOException {
    Answer answer = sending.with(held.fields);
    // Another refusal, or a failure, may have come before anybody looked at the credentials.
    if (answer.status() >= 200 && answer.status() < 300) {
      held.worked = true;
    }
    return answer;
  }

  /** What is held once these have been refused. */
  private Held after(Held refused, Evidence evidence) throws IOException {
    if (!refused.isFresh()) {
      shared.drop(refused);
    }
    return held(evidence);
  }

  private Held held(Evidence evidence) throws IOException {
    try (TimeLimit.Pause _ = evidence.pause()) {
      return switch (current()) {
        case Reply.Answered<Held>(Held held) -> held;
        case Reply.Failed<Held>(Failure failure, _) -> throw new IOException(failure.detail());
      };
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("given up while " + fetch.key() + " was running");
    }
  }

  private Reply<Held> run() {
    Failed before = failed;
    if (before != null && isRecent(before.since)) {
      return Reply.failed(before.failure);
    }
    try {
      return closed ? Reply.failed(STOPPING) : took(fetch.fetch());
    } catch (InterruptedException _) {
      return Reply.failed(STOPPING);
    }
  }

  private Reply<Held> took(PrintedHeaders printed) {
    Held before = last;
    return switch (printed) {
      case PrintedHeaders.Fields(Map<String, Secret> fields) ->
          new Reply.Answered<>(fetched(before, fields));
      case PrintedHeaders.Wrong wrong -> {
        String why = secrets.redact(fetch.key() + " " + wrong.why());
        warn(before, lastWords(why, "its last words: " + secrets.redact(wrong.lastWords()), wrong));
        String told = lastWords(why, "the log has its last words", wrong);
        if (before != null) {
          yield new Reply.Answered<>(hold(before.fields, told));
        }
        Failure failure = new Failure.NotSent(told);
        failed = new Failed(failure, System.nanoTime());
        yield Reply.failed(failure);
      }
    };
  }

  private static String lastWords(String why, String words, PrintedHeaders.Wrong wrong) {
    return wrong.lastWords().isEmpty() ? why : why + "; " + words;
  }

  private Held fetched(@Nullable Held before, Map<String, Secret> fields) {
    secrets.learn(server, fields.values());
    if (before != null && before.fields.equals(fields)) {
      String why = fetch.key() + " printed the same headers as before";
      warn(before, why);
      // Held on to for want of others.
      return hold(before.fields, why);
    }
    LOG.log(
        System.Logger.Level.INFO,
        "server={0} credentials={1}",
        server,
        before == null ? "fetched" : "renewed");
    return hold(fields, "the headers were just fetched by " + fetch.key());
  }

  private void warn(@Nullable Held before, String why) {
    LOG.log(
        System.Logger.Level.WARNING,
        "server={0} credentials={1} {2}",
        server,
        before == null ? "not_fetched" : "not_renewed",
        why);
  }

  private static boolean isRecent(long since) {
    return System.nanoTime() - since < FRESH.toNanos();
  }

  private Held hold(Map<String, Secret> fields, String origin) {
    Held now = new Held(fields, origin);
    last = now;
    return now;
  }

  /** Ends the command, if it is running, and fetches nothing more. Waits, bounded. */
  @Override
  public void close() {
    closed = true;
    shared.end(END_PATIENCE);
  }
}
