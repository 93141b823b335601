package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.ServerQuestions;
import dev.callbound.gateway.upstream.Unattended;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears what a server says outside any request: on the stream of a GET up to 2025-11-25, on that of
 * {@code subscriptions/listen} since. A stream that ends is opened again, slower each time it
 * brings nothing; one that is refused is not, unless credentials are lacking that may be had later.
 * Thread-safe.
 */
final class Listening implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int MAX_EVENT_BYTES = 1 << 20;

  /** Subscriptions that are kept; a server is not asked for more. */
  private static final int MAX_RESOURCES = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Terms, Thread> streams = new HashMap<>();
  private final TreeSet<String> resources = new TreeSet<>();
  private final AtomicLong lastId = new AtomicLong();
  private final Sender sender;
  private final OneWay oneWay;
  private final Requests requests;
  private final Duration longestPause;
  private @Nullable Consumer<Message.Notification> listener;
  private boolean closed;

  /**
   * @param longestPause the longest time until a stream is opened again
   */
  Listening(Sender sender, OneWay oneWay, Requests requests, Duration longestPause) {
    this.sender = sender;
    this.oneWay = oneWay;
    this.requests = requests;
    this.longestPause = longestPause;
  }

  /** Sets who listens. Before it, no stream is opened. */
  void listener(Consumer<Message.Notification> listens) {
    lock.lock();
    try {
      listener = listens;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins to listen under these terms, if anybody does. A new session knows of no subscription, so
   * those of the one before are made again.
   */
  void begin(Terms terms) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (terms.revision().hasSessions()) {
        resources.forEach(uri -> subscribeAgain(terms, uri));
      }
      boolean wanted = terms.revision().hasSessions() || !filter(terms).isEmpty();
      if (listener != null && wanted && !streams.containsKey(terms)) {
        streams.put(terms, Thread.ofVirtual().name("listen").start(() -> listen(terms)));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends what was begun under these terms. */
  void end(Terms terms) {
    lock.lock();
    try {
      Thread stream = streams.remove(terms);
      if (stream != null) {
        stream.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds or removes a resource whose updates are wanted; where they come by the stream itself (MCP
   * 2026-07-28), it is opened anew.
   *
   * @return false when there are too many
   */
  boolean subscribe(Terms terms, String uri, boolean wanted) {
    lock.lock();
    try {
      if (wanted && resources.size() >= MAX_RESOURCES && !resources.contains(uri)) {
        return false;
      }
      boolean changed = wanted ? resources.add(uri) : resources.remove(uri);
      if (changed && !terms.revision().hasSessions()) {
        end(terms);
        begin(terms);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The resources whose updates are wanted. */
  List<String> subscribed() {
    lock.lock();
    try {
      return List.copyOf(resources);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      streams.values().forEach(Thread::interrupt);
      streams.clear();
    } finally {
      lock.unlock();
    }
  }

  private void subscribeAgain(Terms terms, String uri) {
    oneWay.beside(
        terms,
        new Message.Request(
            Json.text("subscribe-" + lastId.incrementAndGet()),
            "resources/subscribe",
            JsonObject.of("uri", Json.text(uri))));
  }

  private void listen(Terms terms) {
    Duration pause = FIRST_PAUSE;
    String lastEventId = null;
    while (!Thread.currentThread().isInterrupted()) {
      Heard heard = once(terms, lastEventId);
      if (heard.refused()) {
        return;
      }
      lastEventId = heard.lastEventId();
      pause = heard.anything() ? FIRST_PAUSE : shorter(pause.multipliedBy(2), longestPause);
      try {
        Thread.sleep(heard.retry() == null ? pause : shorter(heard.retry(), longestPause));
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  /** What one stream came to. */
  private record Heard(
      boolean refused, boolean anything, @Nullable String lastEventId, @Nullable Duration retry) {}

  private Heard once(Terms terms, @Nullable String lastEventId) {
    boolean anything = false;
    EventStream events = null;
    Evidence nobodys = new Evidence(new Unattended(terms.revision()));
    try (Answer answer = sender.send(opening(terms, lastEventId), nobodys)) {
      int status = answer.status();
      if (status == 401 && sender.renewsCredentials()) {
        // No circuit keeps this from the server, and each time may run the command: so, slowly.
        return new Heard(false, false, lastEventId, longestPause);
      }
      if (status >= 400 && status < 500 && status != 429 && status != 408) {
        // A resumption that is refused begins anew; anything else is not offered here.
        return new Heard(lastEventId == null, false, null, null);
      }
      if (status == 200 && answer.mediaType().equals("text/event-stream")) {
        events = new EventStream(answer.body(), MAX_EVENT_BYTES);
        EventStream.Item item;
        while ((item = events.next()) != null) {
          anything = true;
          if (item instanceof EventStream.Item.Event event && event.isMessage()) {
            heard(event.data(), terms);
          }
        }
      } else if (status < 500 && status != 429 && status != 408) {
        return new Heard(true, false, null, null);
      }
    } catch (Sender.UnsafeRedirectException _) {
      return new Heard(true, false, null, null);
    } catch (IOException _) {
      // Opened again after a pause, unless the thread was interrupted.
      anything |= events != null;
    }
    if (events == null) {
      return new Heard(false, false, lastEventId, null);
    }
    Duration retry = events.retryMillis() < 0 ? null : Duration.ofMillis(events.retryMillis());
    return new Heard(false, anything, events.lastEventId(), retry);
  }

  private Sender.Outgoing opening(Terms terms, @Nullable String lastEventId) {
    if (terms.revision().hasSessions()) {
      return new Sender.Outgoing("GET", Headers.stream(terms, lastEventId), null);
    }
    Json id = Json.text("listen-" + lastId.incrementAndGet());
    String method = "subscriptions/listen";
    JsonObject params =
        Dialect.params(
            method,
            JsonObject.of("notifications", filter(terms).toJson()),
            terms.revision(),
            Dialect.gateway(terms.revision()),
            id);
    return new Sender.Outgoing(
        "POST",
        Headers.post(terms, method, params, Map.of()),
        new Message.Request(id, method, params)::toBytes);
  }

  private JsonObject filter(Terms terms) {
    JsonObject capabilities = terms.introduction().capabilities();
    JsonObject filter = JsonObject.EMPTY;
    for (String kind : List.of("tools", "prompts", "resources")) {
      Json changes = capabilities.object(kind).get("listChanged");
      if (changes != null && changes.isTrue()) {
        filter = filter.with(kind + "ListChanged", Json.TRUE);
      }
    }
    List<Json> uris = new ArrayList<>();
    subscribed().forEach(uri -> uris.add(Json.text(uri)));
    return uris.isEmpty() ? filter : filter.with("resourceSubscriptions", Json.array(uris));
  }

  private void heard(byte[] data, Terms terms) {
    Message message;
    try {
      message = Message.parse(data);
    } catch (MalformedMessageException _) {
      return;
    }
    switch (message) {
      case Message.Request question -> asked(question, terms);
      case Message.Notification notification -> told(notification);
      case Message.Response _ -> {
        // The end of a subscription; the stream ends with it.
      }
    }
  }

  /** Some servers put the questions of a request here. They are its own if it is the only one. */
  private void asked(Message.Request question, Terms terms) {
    InFlight only = requests.only();
    if (only != null) {
      only.asked(question);
    } else {
      oneWay.beside(terms, ServerQuestions.withoutClient(question));
    }
  }

  private void told(Message.Notification notification) {
    String method = notification.method();
    if (method.equals("notifications/subscriptions/acknowledged")) {
      return;
    }
    if (method.equals("notifications/progress")) {
      Json token = notification.params().get("progressToken");
      InFlight request = token == null ? null : requests.byToken(token);
      if (request != null) {
        request.told(notification);
      }
      return;
    }
    Consumer<Message.Notification> listens = current();
    if (listens != null) {
      listens.accept(notification);
    }
  }

  private @Nullable Consumer<Message.Notification> current() {
    lock.lock();
    try {
      return listener;
    } finally {
      lock.unlock();
    }
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
