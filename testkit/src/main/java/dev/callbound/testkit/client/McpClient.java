package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.client.WireException.Kind;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An MCP client that does one thing per method and nothing besides: no retries, no pool, no renewal
 * of sessions, no validation. Made to drive a server or a gateway in tests. Thread-safe.
 *
 * <pre>{@code
 * try (var client = McpClient.http(url).revision(Revision.V2025_11_25).connect()) {
 *   JsonNode response = client.call("read_ok", "{}");
 * }
 * }</pre>
 */
public final class McpClient implements AutoCloseable {
  private static final String META = "io.modelcontextprotocol/";

  /** Far more questions than any server has in one call. */
  private static final int MAX_QUESTION_ROUNDS = 16;

  private final Channel channel;
  private final Inbox inbox;
  private final Builder settings;
  private final AtomicInteger ids = new AtomicInteger();
  private volatile JsonNode initializeResult = JsonRpc.object();

  private McpClient(Channel channel, Inbox inbox, Builder settings) {
    this.channel = channel;
    this.inbox = inbox;
    this.settings = settings;
  }

  /** A client of the endpoint at this address; plain HTTP only. */
  public static Builder http(URI endpoint) {
    return new Builder(endpoint, List.of());
  }

  /** A client that starts this command and speaks over its stdin and stdout. */
  public static Builder stdio(List<String> command) {
    return new Builder(null, command);
  }

  /**
   * Calls a tool and waits for the whole JSON-RPC response, result or error.
   *
   * @param argumentsJson a JSON object
   * @throws WireException if there was no JSON-RPC response
   */
  public JsonNode call(String tool, String argumentsJson) throws InterruptedException {
    return begin(tool, argumentsJson).await();
  }

  /** Calls a tool as described, and waits. */
  public JsonNode call(McpRequest call) throws InterruptedException {
    return begin(call).await();
  }

  /** Calls a tool on a virtual thread of its own. */
  public CompletableFuture<JsonNode> callAsync(String tool, String argumentsJson) {
    return begin(tool, argumentsJson).response();
  }

  /** Begins a call that can be cancelled or left. */
  public PendingCall begin(String tool, String argumentsJson) {
    return begin(McpRequest.call(tool, argumentsJson));
  }

  /**
   * Begins any request that can be cancelled or left. Where the server answers {@code
   * input_required} and this client has answers, the request is sent again with them.
   */
  public PendingCall begin(McpRequest call) {
    PendingCall pending = new PendingCall(nextId(), settings.timeout, this::cancel);
    Thread.ofVirtual().start(() -> perform(call, pending));
    return pending;
  }

  /** Sends any request and waits for the whole response. */
  public JsonNode request(String method, String paramsJson) throws InterruptedException {
    return call(McpRequest.of(method, JsonRpc.parse(paramsJson)));
  }

  /** Sends a notification. */
  public void notify(String method, String paramsJson) {
    channel.send(JsonRpc.notification(method, JsonRpc.parse(paramsJson)));
  }

  /** Comes back for the answer of a call whose stream broke, with Last-Event-ID. */
  public JsonNode resume(PendingCall call) {
    return http().resume(call);
  }

  /** Opens the standalone stream of the revisions that have one. */
  public StandaloneStream openStream() {
    return http().openStream();
  }

  /** Posts these bytes with the usual headers, the given ones in place of those they name. */
  public RawResponse post(byte[] body, HttpHeaders headers) {
    return http().post(body, headers);
  }

  /** Sends exactly this, plus Host, Connection and Content-Length where they are missing. */
  public RawResponse raw(String method, String target, HttpHeaders headers, byte[] body) {
    return http().raw(method, target, headers, body);
  }

  /** Ends the session with a DELETE. */
  public RawResponse endSession() {
    return http().endSession();
  }

  /** The session's id; null if the server gave none. */
  public @Nullable String sessionId() {
    return http().session();
  }

  /** Goes on with another session id, or with none. */
  public void sessionId(@Nullable String id) {
    http().session(id);
  }

  /** The result of initialize; empty where the revision has none. */
  public JsonNode initializeResult() {
    return initializeResult;
  }

  /** All notifications so far, from every stream. */
  public List<JsonNode> notifications() {
    return inbox.notifications();
  }

  /** All notifications of this method so far. */
  public List<JsonNode> notifications(String method) {
    return inbox.notifications().stream()
        .filter(message -> message.path("method").asText().equals(method))
        .toList();
  }

  /** All requests that the server has made so far. */
  public List<JsonNode> serverRequests() {
    return inbox.requests();
  }

  /** Writes a line to the process as it is. */
  public void writeLine(byte[] line) {
    stdio().writeLine(line);
  }

  /** The process that this client has started. */
  public Process process() {
    return stdio().process();
  }

  /** The lines on the process's stdout that were no messages. */
  public List<String> noise() {
    return stdio().noise();
  }

  /** The last of what the process wrote on stderr. */
  public String stderr() {
    return stdio().stderr();
  }

  /** Begins to read stderr, where the client was built not to. */
  public void drainStderr() {
    stdio().drainStderr();
  }

  /** Ends the process's stdin, and nothing else. */
  public void closeInput() {
    stdio().closeInput();
  }

  /** Goes away without a word: cuts every connection, or kills the process. */
  public void disconnect() {
    channel.disconnect();
  }

  /** Cuts every connection, or lets the process leave; the session is not ended. */
  @Override
  public void close() {
    channel.close();
  }

  private void perform(McpRequest call, PendingCall pending) {
    try {
      pending.complete(rounds(call, pending));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      pending.fail(e);
    } catch (RuntimeException e) {
      // Whatever it is, the one who waits for the call has to hear of it.
      pending.fail(e);
    }
  }

  private JsonNode rounds(McpRequest call, PendingCall pending) throws InterruptedException {
    ObjectNode params = call.params().deepCopy();
    for (int round = 0; ; round++) {
      JsonNode response =
          channel.exchange(envelope(call.method(), params, pending), call.headers(), pending);
      JsonNode result = response.path("result");
      boolean asks = result.path("resultType").asText().equals("input_required");
      Answer.Source answers = settings.answers;
      if (!asks || answers == null || round >= MAX_QUESTION_ROUNDS) {
        return response;
      }
      params.set("inputResponses", answers(result.path("inputRequests"), answers));
      params.set("requestState", result.path("requestState"));
      pending.goesAs(nextId());
    }
  }

  private static ObjectNode answers(JsonNode questions, Answer.Source source)
      throws InterruptedException {
    ObjectNode given = JsonRpc.object();
    for (Map.Entry<String, JsonNode> question : questions.properties()) {
      String method = question.getValue().path("method").asText();
      Answer answer = source.answer(method, question.getValue().path("params"));
      if (answer instanceof Answer.Result(JsonNode result)) {
        given.set(question.getKey(), result);
      }
    }
    return given;
  }

  private ObjectNode envelope(String method, ObjectNode params, PendingCall pending) {
    ObjectNode all = params.deepCopy();
    settings.meta.forEach((key, value) -> all.withObjectProperty("_meta").set(key, value));
    if (!settings.revision.hasSessions()) {
      ObjectNode meta = all.withObjectProperty("_meta");
      meta.put(META + "protocolVersion", settings.revision.text());
      meta.set(META + "clientInfo", settings.clientInfo());
      meta.set(META + "clientCapabilities", settings.capabilities);
    }
    return JsonRpc.request(pending.id(), method, all);
  }

  private void cancel(PendingCall call, String reason) {
    if (channel instanceof HttpChannel && !settings.revision.hasSessions()) {
      call.hangUp();
    } else {
      ObjectNode params = JsonRpc.object("requestId", call.id(), "reason", reason);
      channel.send(JsonRpc.notification("notifications/cancelled", params));
    }
  }

  private void handshake() throws InterruptedException {
    ObjectNode params =
        JsonRpc.object(
            "protocolVersion", settings.revision.text(),
            "capabilities", settings.capabilities,
            "clientInfo", settings.clientInfo());
    JsonNode response = call(McpRequest.of("initialize", params));
    if (!response.has("result")) {
      throw new WireException(Kind.NOT_THE_ANSWER, "initialize: " + response, null);
    }
    initializeResult = response.path("result");
    if (channel instanceof HttpChannel http) {
      http.version(initializeResult.path("protocolVersion").asText());
    }
    channel.send(JsonRpc.notification("notifications/initialized", null));
  }

  private JsonNode nextId() {
    return JsonRpc.tree(ids.incrementAndGet());
  }

  private HttpChannel http() {
    if (channel instanceof HttpChannel http) {
      return http;
    }
    throw new IllegalStateException("only over HTTP; this client speaks stdio");
  }

  private StdioChannel stdio() {
    if (channel instanceof StdioChannel stdio) {
      return stdio;
    }
    throw new IllegalStateException("only on stdio; this client speaks HTTP");
  }

  /** How a client is to behave. Not thread-safe. */
  public static final class Builder {
    private final @Nullable URI endpoint;
    private final List<String> command;
    private final HttpHeaders headers = new HttpHeaders();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<String, JsonNode> meta = new LinkedHashMap<>();
    private Revision revision = Revision.V2025_11_25;
    private String name = "callbound-testkit";
    private ObjectNode capabilities = JsonRpc.object();
    private Duration timeout = Duration.ofSeconds(60);
    private Consumer<JsonNode> listener = message -> {};
    private Answer.@Nullable Source answers;
    private @Nullable Path directory;
    private boolean drainStderr = true;

    private Builder(@Nullable URI endpoint, List<String> command) {
      this.endpoint = endpoint;
      this.command = new ArrayList<>(command);
    }

    /** Speaks this revision; 2025-11-25 by default. */
    public Builder revision(Revision wanted) {
      revision = wanted;
      return this;
    }

    /** Goes by this name in clientInfo. */
    public Builder name(String clientName) {
      name = clientName;
      return this;
    }

    /** Declares these capabilities, a JSON object; none by default. */
    public Builder capabilities(String json) {
      capabilities = (ObjectNode) JsonRpc.parse(json);
      return this;
    }

    /** Sends this header with every HTTP request. */
    public Builder header(String headerName, String value) {
      headers.set(headerName, value);
      return this;
    }

    /** Sends this entry in the {@code _meta} of every request. */
    public Builder meta(String key, String json) {
      meta.put(key, JsonRpc.parse(json));
      return this;
    }

    /** Sets a variable in the environment of the process. */
    public Builder environment(String variable, String value) {
      environment.put(variable, value);
      return this;
    }

    /** Starts the process in this folder. */
    public Builder directory(Path folder) {
      directory = folder;
      return this;
    }

    /** Waits at most this long for any answer; a minute by default. */
    public Builder timeout(Duration longest) {
      timeout = longest;
      return this;
    }

    /** Hears every notification as it comes, on the thread that read it. */
    public Builder onNotification(Consumer<JsonNode> hearer) {
      listener = hearer;
      return this;
    }

    /** Answers the server's requests, and what it asks for with {@code input_required}. */
    public Builder onRequest(Answer.Source source) {
      answers = source;
      return this;
    }

    /** Leaves the process's stderr unread, as careless clients do. */
    public Builder leaveStderr() {
      drainStderr = false;
      return this;
    }

    /**
     * Connects, and shakes hands where the revision has a handshake.
     *
     * @throws WireException if the server cannot be reached or refuses
     */
    public McpClient connect() throws InterruptedException {
      McpClient client = open();
      if (revision.hasSessions()) {
        try {
          client.handshake();
        } catch (WireException e) {
          client.close();
          throw e;
        }
      }
      return client;
    }

    /** A client that has not said anything yet, for tests of what comes before the handshake. */
    public McpClient open() {
      Answer.Source source = answers;
      Inbox inbox =
          new Inbox(listener, source == null ? (method, params) -> new Answer.Standard() : source);
      URI address = endpoint;
      if (address == null) {
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().putAll(environment);
        Path folder = directory;
        if (folder != null) {
          process.directory(folder.toFile());
        }
        return new McpClient(new StdioChannel(process, inbox, drainStderr), inbox, this);
      }
      HttpChannel channel = new HttpChannel(address, timeout, headers, inbox);
      if (!revision.hasSessions()) {
        channel.version(revision.text());
      }
      return new McpClient(channel, inbox, this);
    }

    private ObjectNode clientInfo() {
      return JsonRpc.object("name", name, "version", "1");
    }
  }
}
