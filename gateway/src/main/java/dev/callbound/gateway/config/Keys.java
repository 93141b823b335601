package dev.callbound.gateway.config;

import dev.callbound.policy.Effect;
import dev.callbound.policy.Money;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every key of the file, with its default, its unit and its line of help: the one place that the
 * loader, the docs and the schema share.
 */
final class Keys {
  private static final Format<Duration> AT_ONCE_TO_HOUR =
      Formats.duration(Duration.ZERO, Duration.ofHours(1));
  private static final Format<Duration> MOMENT_TO_HOUR =
      Formats.duration(Duration.ofMillis(1), Duration.ofHours(1));

  /** What {@code defaults}, a server and a tool say about calls. */
  static final CallKeys DEFAULT_CALL = CallKeys.standard();

  static final CallKeys SERVER_CALL = CallKeys.inherited("servers.NAME", "that of `defaults`");
  static final CallKeys TOOL_CALL = CallKeys.inherited("servers.NAME.tools.TOOL", "its server's");

  /** {@code servers.NAME.tools.TOOL}. */
  static final class Tool {
    static final Key.Value<Effect> EFFECT =
        Key.Value.open(
            "effect",
            Formats.choice(Effect.class),
            "what the profile, else the server's annotations say, else `write`",
            "What the tool does to the world. A read may be repeated; a write that may have"
                + " happened is not.");

    static final Key.Values<String> TARGET =
        Key.Values.open(
            "target",
            RecogniseFormats.TARGET,
            "all arguments",
            "The arguments that say what a call is about. Two calls with the same target mean the"
                + " same thing, in the same run and step.");
    static final Key.Value<Boolean> REPEATS =
        Key.Value.open(
            "repeats",
            Formats.FLAG,
            "`false`",
            "Whether the same arguments twice mean two things, as for a tool that appends a line.");
    static final Key.PartOrWord RECOGNISE =
        new Key.PartOrWord(
            "recognise",
            "none",
            RecogniseKeys.SECTION,
            "`none`",
            "How a repeat of a write is recognised, so that one that may have happened can be"
                + " settled.");

    static final Section SECTION =
        new Section(
            "servers.NAME.tools.TOOL",
            concat(List.of(EFFECT, TARGET, REPEATS, RECOGNISE), TOOL_CALL.all()));

    private Tool() {}
  }

  /** {@code servers.NAME}. */
  static final class Server {
    static final Key.Value<String> COMMAND =
        Key.Value.open(
            "command",
            Formats.NAME,
            "none",
            "The program of a stdio server. A server has either this or `url`.");
    static final Key.Values<String> ARGS =
        Key.Values.of("args", Formats.TEXT, List.of(), "The program's arguments.");
    static final Key.Pairs ENV =
        new Key.Pairs("env", "What is added to the environment that the program inherits.");
    static final Key.Value<String> CWD =
        Key.Value.open(
            "cwd",
            Formats.PATH,
            "where Callbound runs",
            "The folder in which the program runs; relative to the folder of this file.");
    static final Key.Value<Duration> STOP_GRACE =
        Key.Value.of(
            "stop_grace",
            AT_ONCE_TO_HOUR,
            "2s",
            "How long the program has to end after its input is closed, and again after TERM,"
                + " before it is killed.");
    static final Key.Value<URI> URL =
        Key.Value.open("url", Formats.URL, "none", "The endpoint of a Streamable HTTP server.");
    static final Key.Pairs HEADERS = new Key.Pairs("headers", "What is added to every request.");
    static final Key.Values<String> HEADERS_COMMAND =
        Key.Values.open(
            "headers_command",
            Formats.TEXT,
            "none",
            "A program and its arguments that print more headers, as a JSON object. It is run before"
                + " the first request, and again when the server answers 401.");
    static final Key.Value<Duration> CONNECT_TIMEOUT =
        Key.Value.of(
            "connect_timeout",
            MOMENT_TO_HOUR,
            "10s",
            "The longest that connecting to `url` may take, TLS included.");
    static final Key.Values<AddressRange> ALLOW_ADDRESSES =
        Key.Values.of(
            "allow_addresses",
            Formats.ADDRESS_RANGE,
            List.of(),
            "Private and loopback addresses to which the host of `url` may resolve.");
    static final Key.Values<Integer> REFUSED_STATUSES =
        Key.Values.of(
            "refused_statuses",
            Formats.count(500, 599),
            List.of(),
            "HTTP statuses, such as 503, by which this server says that it did not do the"
                + " request.");
    static final Key.Value<TransportType> TYPE =
        Key.Value.open(
            "type",
            Formats.TRANSPORT_TYPE,
            "told by `command` or `url`",
            "How the server is reached; `http` and `streamable-http` are the same.");
    static final Key.Value<Boolean> ENABLED =
        Key.Value.of("enabled", Formats.FLAG, "true", "Whether the server is used at all.");
    static final Key.Value<Annotations> ANNOTATIONS =
        Key.Value.of(
            "annotations",
            Formats.choice(Annotations.class),
            "believed",
            "Whether the server's hints about its tools count, such as `readOnlyHint`.");
    static final Key.Value<Prefix> PREFIX =
        Key.Value.open(
            "prefix",
            Formats.choice(Prefix.class),
            "the `prefix` of the file",
            "When this server's tools appear as `server__tool`.");
    static final Key.Value<Protocol> PROTOCOL =
        Key.Value.of(
            "protocol",
            Formats.choice(Protocol.class, Protocol::revision),
            "auto",
            "The revision of MCP that is spoken to the server; `auto` asks it.");
    static final Key.Value<Duration> START_TIMEOUT =
        Key.Value.of(
            "start_timeout",
            MOMENT_TO_HOUR,
            "30s",
            "The longest that the server may take to answer the first request of a session.");
    static final Key.Value<Integer> MAX_RESULT =
        Key.Value.open(
            "max_result",
            Formats.size(),
            "that of `defaults`",
            "The largest result that is passed on. A larger one is refused, never cut.");

    static final Key.Value<Integer> AT_ONCE =
        Key.Value.open(
            "at_once",
            Formats.AT_ONCE,
            "that of `defaults`",
            "How many attempts at tools the server gets at once. The others wait in line, first come"
                + " first served, within their own deadlines.");
    static final Key.Value<Integer> QUEUE =
        Key.Value.open(
            "queue",
            Formats.count(0, 100_000),
            "that of `defaults`",
            "How many calls may wait in line; a further one is stopped, `rate_limited`.");

    /** The profile is found by the server's own name ... */
    static final String AUTO_PROFILE = "auto";

    /** ... or there is none. */
    static final String NO_PROFILE = "none";

    static final Key.Value<String> PROFILE =
        Key.Value.of(
            "profile",
            Formats.PROFILE,
            AUTO_PROFILE,
            "What is known of the server's tools: `auto` finds a shipped profile by the server's"
                + " own name and version.");
    static final Key.Parts TOOLS =
        new Key.Parts(
            "tools", Tool.SECTION, "What differs for single tools, by the server's names.");

    static final Section SECTION =
        new Section(
            "servers.NAME",
            concat(
                List.<Key>of(
                    COMMAND,
                    ARGS,
                    ENV,
                    CWD,
                    STOP_GRACE,
                    URL,
                    HEADERS,
                    HEADERS_COMMAND,
                    CONNECT_TIMEOUT,
                    ALLOW_ADDRESSES,
                    REFUSED_STATUSES,
                    TYPE,
                    ENABLED,
                    ANNOTATIONS,
                    PREFIX,
                    PROTOCOL,
                    START_TIMEOUT,
                    MAX_RESULT,
                    AT_ONCE,
                    QUEUE,
                    PROFILE),
                concat(SERVER_CALL.all(), List.of(TOOLS))));

    private Server() {}
  }

  /** A server in another program's {@code mcpServers} file. Not ours, so not in our docs. */
  static final class McpServer {
    static final Key.Value<Boolean> DISABLED =
        Key.Value.of("disabled", Formats.FLAG, "false", "Whether the server is left out.");

    /** Of Claude Code: a line for the shell, with variables of the shell's own. */
    static final Key.Value<String> HEADERS_HELPER =
        Key.Value.open("headersHelper", Formats.NAME, "none", Server.HEADERS_COMMAND.help());

    static final Section SECTION =
        new Section(
            "mcpServers.NAME",
            List.of(
                Server.COMMAND,
                Server.ARGS,
                Server.ENV,
                Server.CWD,
                Server.URL,
                Server.TYPE,
                Server.HEADERS,
                HEADERS_HELPER,
                DISABLED));

    private McpServer() {}
  }

  /** {@code defaults}. */
  static final class Defaults {
    static final Key.Value<Integer> MAX_RESULT =
        Key.Value.of("max_result", Formats.size(), "8MiB", Server.MAX_RESULT.help());
    static final Key.Value<Integer> AT_ONCE =
        Key.Value.of("at_once", Formats.AT_ONCE, "unlimited", Server.AT_ONCE.help());
    static final Key.Value<Integer> QUEUE =
        Key.Value.of("queue", Server.QUEUE.format(), "1000", Server.QUEUE.help());

    static final Section SECTION =
        new Section("defaults", concat(DEFAULT_CALL.all(), List.of(MAX_RESULT, AT_ONCE, QUEUE)));

    private Defaults() {}
  }

  /** {@code run}. */
  static final class Run {
    static final Key.Value<Duration> DEADLINE =
        Key.Value.of(
            "deadline",
            Formats.duration(Duration.ofSeconds(1), Durations.MONTH),
            "2h",
            "The longest that a run may take. Every other deadline lies within it.");
    static final Key.Value<Integer> RETRIES =
        Key.Value.of(
            "retries",
            Formats.count(0, 100_000),
            "50",
            "How many retries the calls of a run may make together. First attempts are not counted, but a"
                + " run that has used all its retries takes no more calls; with `0` each call is made once.");
    static final Key.Value<Money> SPEND =
        Key.Value.open(
            "spend",
            Formats.MONEY,
            "no limit",
            "How much the calls of a run may spend together, at the `price` of their attempts; what"
                + " would cost more is stopped. The most that a run can ask for, too.");
    static final Key.Value<Duration> IDLE_AFTER =
        Key.Value.of(
            "idle_after",
            Formats.duration(Duration.ofSeconds(1), Durations.MONTH),
            "30m",
            "After how long without a call a run is over that the client did not name.");

    static final Section SECTION =
        new Section("run", List.of(DEADLINE, RETRIES, SPEND, IDLE_AFTER));

    private Run() {}
  }

  /** {@code backoff}. */
  static final class Wait {
    static final Key.Value<Duration> BASE =
        Key.Value.of(
            "base",
            MOMENT_TO_HOUR,
            "250ms",
            "The shortest wait before a retry where the provider named no time. It doubles from"
                + " there.");
    static final Key.Value<Duration> CAP =
        Key.Value.of(
            "cap", MOMENT_TO_HOUR, "20s", "The longest wait before a retry where it named none.");

    static final Section SECTION = new Section("backoff", List.of(BASE, CAP));

    private Wait() {}
  }

  /** {@code listen.tokens[]}. */
  static final class Token {
    /** What can't be guessed in a lifetime needs at least this many characters. */
    static final int SHORTEST = 16;

    static final Key.Value<String> PRINCIPAL =
        Key.Value.open("principal", Formats.NAME, "required", "Whose calls and runs they are.");
    static final Key.Value<String> TOKEN =
        Key.Value.open(
            "token",
            Formats.NAME,
            "required",
            "The bearer token, at least " + SHORTEST + " characters, best as a variable.");

    static final Section SECTION = new Section("listen.tokens[]", List.of(PRINCIPAL, TOKEN));

    private Token() {}
  }

  /** {@code listen}. */
  static final class Listen {
    static final Key.Value<ListenAddress> ADDRESS =
        Key.Value.of(
            "address",
            Formats.LISTEN_ADDRESS,
            "127.0.0.1:7420",
            "Where `serve` listens; port 0 picks a free one. Anything but a loopback address needs"
                + " `tokens`.");
    static final Key.Values<String> ALLOWED_ORIGINS =
        Key.Values.of(
            "allowed_origins",
            Formats.NAME,
            List.of(
                "http://localhost",
                "http://127.0.0.1",
                "http://[::1]",
                "https://localhost",
                "https://127.0.0.1",
                "https://[::1]"),
            "The origins that a browser's request may come from; without a port, any port of it.");
    static final Key.Values<String> ALLOWED_HOSTS =
        Key.Values.of(
            "allowed_hosts",
            Formats.NAME,
            List.of("localhost", "127.0.0.1", "[::1]"),
            "The names by which the door may be called; without a port, any port.");
    static final Key.Value<Integer> MAX_REQUEST =
        Key.Value.of("max_request", Formats.size(), "4MiB", "The largest request body.");
    static final Key.Value<Integer> MAX_HEADER =
        Key.Value.of(
            "max_header",
            Formats.size(),
            "32KiB",
            "The largest request line and headers together.");
    static final Key.Value<Integer> MAX_CONNECTIONS =
        Key.Value.of(
            "max_connections",
            Formats.count(1, 1_000_000),
            "12000",
            "How many clients may be connected at a time.");
    static final Key.Value<Integer> MAX_CALLS =
        Key.Value.of(
            "max_calls",
            Formats.count(1, 1_000_000),
            "2000",
            "How many calls may be in flight at a time.");
    static final Key.Value<Duration> SHUTDOWN_GRACE =
        Key.Value.of(
            "shutdown_grace",
            AT_ONCE_TO_HOUR,
            "30s",
            "How long calls in flight have to end when the program is stopped.");
    static final Key.Entries TOKENS =
        new Key.Entries(
            "tokens",
            Token.SECTION,
            "Who may come in. With any token set, every request needs one; it names the"
                + " principal.");

    static final Section SECTION =
        new Section(
            "listen",
            List.of(
                ADDRESS,
                ALLOWED_ORIGINS,
                ALLOWED_HOSTS,
                MAX_REQUEST,
                MAX_HEADER,
                MAX_CONNECTIONS,
                MAX_CALLS,
                SHUTDOWN_GRACE,
                TOKENS));

    private Listen() {}
  }

  /** {@code journal}. */
  static final class Journal {
    static final Key.Value<String> FILE =
        Key.Value.open(
            "file",
            Formats.PATH,
            "`callbound.db` in `$XDG_STATE_HOME/callbound`, else in `~/.local/state/callbound`",
            "The SQLite file that holds the record; relative to the folder of this file.");
    static final Key.Value<Duration> RETENTION =
        Key.Value.of(
            "retention",
            Formats.duration(Duration.ofMinutes(1), Duration.ofDays(3650)),
            "30d",
            "How long a call is kept after its outcome was settled.");

    static final Section SECTION = new Section("journal", List.of(FILE, RETENTION));

    private Journal() {}
  }

  /** {@code alerts}. */
  static final class Alerts {
    static final Key.Value<URI> URL =
        Key.Value.open(
            "url",
            Formats.URL,
            "none",
            "Where alerts are posted to, as JSON: an attempt that is stuck, an expected output that"
                + " is missing in the end.");
    static final Key.Pairs HEADERS = new Key.Pairs("headers", Server.HEADERS.help());
    static final Key.Values<AddressRange> ALLOW_ADDRESSES =
        Key.Values.of(
            "allow_addresses", Formats.ADDRESS_RANGE, List.of(), Server.ALLOW_ADDRESSES.help());

    static final Section SECTION = new Section("alerts", List.of(URL, HEADERS, ALLOW_ADDRESSES));

    private Alerts() {}
  }

  /** {@code expect}. */
  static final class Expect {
    static final Key.Values<String> FOLDERS =
        Key.Values.open(
            "folders",
            Formats.PATH,
            "any, where no tokens are set, else none",
            "The folders in which a run's expected files may be looked for; relative to the folder"
                + " of this file.");
    static final Key.Values<String> HOSTS =
        Key.Values.of(
            "hosts",
            Formats.NAME,
            List.of(),
            "The hosts that may be asked for a run's expected URLs, besides this machine; without a"
                + " port, any port.");

    static final Section SECTION = new Section("expect", List.of(FOLDERS, HOSTS));

    private Expect() {}
  }

  /** The file itself. */
  static final class File {
    static final Key.Parts SERVERS =
        new Key.Parts("servers", Server.SECTION, "The MCP servers, each by a name of your choice.");
    static final Key.Value<Prefix> PREFIX =
        Key.Value.of(
            "prefix",
            Formats.choice(Prefix.class),
            "collisions",
            "When a tool appears as `server__tool` at the door that all servers share.");
    static final Key.Part DEFAULTS =
        new Key.Part(
            "defaults", Defaults.SECTION, "What holds for every tool that says nothing else.");
    static final Key.Part RUN = new Key.Part("run", Run.SECTION, "The bounds of a run.");
    static final Key.Part BACKOFF =
        new Key.Part("backoff", Wait.SECTION, "How long a call waits before it tries again.");
    static final Key.Part LISTEN =
        new Key.Part("listen", Listen.SECTION, "The HTTP door, for `serve`.");
    static final Key.Part JOURNAL =
        new Key.Part("journal", Journal.SECTION, "Where the record is kept, and for how long.");

    static final Key.Part ALERTS =
        new Key.Part("alerts", Alerts.SECTION, "Whom to tell of what needs a look.");
    static final Key.Part EXPECT =
        new Key.Part("expect", Expect.SECTION, "Where a run's expected outputs may be looked for.");

    static final Key.Value<Boolean> SETTLE_BY_MODEL =
        Key.Value.of(
            "settle_by_model",
            Formats.FLAG,
            "false",
            "Whether a model may say how an unknown outcome ended, through `callbound_outcome`.");

    static final Section SECTION =
        new Section(
            "the file",
            List.of(
                SERVERS,
                PREFIX,
                DEFAULTS,
                RUN,
                BACKOFF,
                LISTEN,
                JOURNAL,
                ALERTS,
                EXPECT,
                SETTLE_BY_MODEL));

    private File() {}
  }

  private Keys() {}

  private static List<Key> concat(List<? extends Key> first, List<? extends Key> second) {
    return Stream.<Key>concat(first.stream(), second.stream()).toList();
  }
}
