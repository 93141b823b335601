package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.ServerConfig;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * Sends one HTTP request to the endpoint and brings its response: once, with three exceptions that
 * repeat nothing. A pooled connection that was closed before anything was sent on it is replaced, a
 * redirect within the origin is followed, and what was answered 401 is sent again with renewed
 * credentials, where they can be renewed. Thread-safe.
 *
 * <p>Every wait in here ends when the thread is interrupted, with the connection closed.
 */
final class Sender implements AutoCloseable {
  static final int MAX_REDIRECTS = 3;

  /** Connections to one server; a call holds one for as long as it lasts. */
  static final int MAX_CONNECTIONS = 2_000;

  private static final int MAX_STALE = 3;
  private static final ContentType JSON = ContentType.create("application/json");
  private static final Duration REST_OF_STREAM = Duration.ofSeconds(1);
  private static final int REST_BYTES = 65_536;

  private final URI url;
  private final Map<String, Secret> configured;
  private final @Nullable Credentials credentials;
  private final PoolingHttpClientConnectionManager pool;
  private final CloseableHttpClient client;
  private volatile boolean closed;

  /** A sender whose requests carry the configured headers alone. */
  Sender(ServerConfig.Http transport, int maxConnections) {
    this(transport, null, maxConnections);
  }

  /**
   * @param credentials what is added to the configured headers, and goes over them; null for
   *     nothing. Closed by whoever made them
   * @param maxConnections how many requests can be under way at once; more wait
   */
  Sender(ServerConfig.Http transport, @Nullable Credentials credentials, int maxConnections) {
    this.url = transport.url();
    this.configured = transport.headers();
    this.credentials = credentials;
    this.pool = ClientFactory.pool(transport, maxConnections);
    this.client = ClientFactory.client(pool);
  }

  /**
   * What goes out.
   *
   * @param headers beside those of the config
   * @param body makes the JSON that goes out; null for a method without a body
   */
  record Outgoing(String method, Map<String, String> headers, @Nullable Supplier<byte[]> body) {}

  /**
   * Sends a request.
   *
   * @return the response, whose body is still to be read; never a redirect
   * @throws UnsafeRedirectException if it was redirected to where it must not go
   */
  Answer send(Outgoing outgoing, Evidence evidence) throws IOException {
    return credentials == null
        ? follow(outgoing, Map.of(), evidence)
        : credentials.send(fields -> follow(outgoing, fields, evidence), evidence);
  }

  /** Whether other credentials may be had for what is answered 401. */
  boolean renewsCredentials() {
    return credentials != null;
  }

  private Answer follow(Outgoing outgoing, Map<String, Secret> fields, Evidence evidence)
      throws IOException {
    URI target = url;
    for (int redirects = 0; ; redirects++) {
      Answer answer = sendTo(target, outgoing, fields, evidence);
      if (!Redirect.is(answer.status())) {
        return answer;
      }
      // A redirect is the answer of a server that did not do it.
      evidence.notTaken();
      String location = answer.header("Location");
      answer.close();
      switch (Redirect.of(target, answer.status(), location)) {
        case Redirect.Refuse(String why) -> throw new UnsafeRedirectException(why);
        case Redirect.Follow(URI next) -> {
          if (redirects == MAX_REDIRECTS) {
            throw new UnsafeRedirectException("more than " + MAX_REDIRECTS + " redirects");
          }
          target = next;
        }
      }
    }
  }

  /** Reads what little is left of a stream beside the caller, so that its connection lives on. */
  void finish(Answer read) {
    Answer answer = read.handOver();
    Thread.ofVirtual()
        .name("finish-stream")
        .start(
            () -> {
              try (answer;
                  TimeLimit _ = TimeLimit.of(REST_OF_STREAM)) {
                answer.body().readNBytes(REST_BYTES);
              } catch (IOException _) {
                // Then the connection does not live on.
                return;
              }
            });
  }

  private Answer sendTo(
      URI target, Outgoing outgoing, Map<String, Secret> fields, Evidence evidence)
      throws IOException {
    for (int stale = 0; ; stale++) {
      HttpClientContext context = HttpClientContext.create();
      context.setAttribute(EvidentExecutor.SENDING, (EvidentExecutor.Sending) evidence::sending);
      HttpUriRequestBase request = request(target, outgoing, fields);
      HttpHost host = new HttpHost(target.getScheme(), target.getHost(), target.getPort());
      try {
        return new Answer(request, client.executeOpen(host, request, context));
      } catch (EvidentExecutor.StaleConnectionException e) {
        pool.closeIdle(TimeValue.ZERO_MILLISECONDS);
        if (stale == MAX_STALE) {
          throw e;
        }
      } catch (CancellationException e) {
        throw new IOException("no connection could be had", e);
      } catch (IllegalStateException e) {
        if (closed) {
          throw new IOException("the gateway is stopping", e);
        }
        throw e;
      }
    }
  }

  private HttpUriRequestBase request(URI target, Outgoing outgoing, Map<String, Secret> fields) {
    HttpUriRequestBase request = new HttpUriRequestBase(outgoing.method(), target);
    configured.forEach((name, secret) -> request.setHeader(name, secret.reveal()));
    fields.forEach((name, secret) -> request.setHeader(name, secret.reveal()));
    outgoing.headers().forEach(request::setHeader);
    Supplier<byte[]> body = outgoing.body();
    if (body != null) {
      request.setEntity(new ByteArrayEntity(body.get(), JSON));
    }
    return request;
  }

  /** Connections that are in use; for tests. */
  int inUse() {
    return pool.getTotalStats().getLeased();
  }

  /** Closes every connection at once. */
  @Override
  public void close() {
    closed = true;
    client.close(CloseMode.IMMEDIATE);
    pool.close(CloseMode.IMMEDIATE);
  }

  /** A redirect leads to where the request must not go. */
  static final class UnsafeRedirectException extends IOException {
    private static final long serialVersionUID = 1L;

    UnsafeRedirectException(String message) {
      super(message);
    }
  }
}
