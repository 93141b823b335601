package dev.callbound.gateway.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One MCP server and how its tools are bounded.
 *
 * @param name its name in the config, in records and before {@code __} in a tool's name: 1 to 32
 *     letters, digits, {@code -} and {@code _}, without {@code __}
 * @param annotations whether the server's hints about its tools count
 * @param prefix when its tools carry its name
 * @param protocol the revision of MCP spoken to it
 * @param startTimeout how long it may take to answer the first request of a session
 * @param maxResultBytes the largest result that is passed on
 * @param crowd how many attempts it gets at once, and how many calls may wait for that
 * @param profile which profile is asked what is known of its tools
 * @param tools how its tools are bounded
 */
public record ServerConfig(
    String name,
    Transport transport,
    Annotations annotations,
    Prefix prefix,
    Protocol protocol,
    Duration startTimeout,
    int maxResultBytes,
    Crowd crowd,
    ProfileChoice profile,
    ToolBounds tools) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,32}");

  public ServerConfig {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name must be 1 to 32 letters, digits, - and _, without __: " + name);
    }
    Positive.check("start timeout", startTimeout);
    Positive.check("max result", maxResultBytes);
  }

  /** A server of which the config says only how it is reached. */
  public static ServerConfig standard(String name, Transport transport) {
    return new ServerConfig(
        name,
        transport,
        Keys.Server.ANNOTATIONS.required(),
        Keys.File.PREFIX.required(),
        Keys.Server.PROTOCOL.required(),
        Keys.Server.START_TIMEOUT.required(),
        Keys.Defaults.MAX_RESULT.required(),
        Crowd.STANDARD,
        new ProfileChoice.ByServer(),
        ToolBounds.STANDARD);
  }

  /** How the tool of this name is bounded by the config alone, whether or not it is listed. */
  public ToolConfig tool(String toolName) {
    return tools.of(toolName);
  }

  /**
   * How the tool of this name is bounded, whether or not the config or the profile lists it. A key
   * that a profile would send as a header is none to a server that has no headers.
   *
   * @param known the server's profile; null if it has none
   */
  public ToolConfig tool(String toolName, @Nullable Profile known) {
    ToolConfig tool = tools.of(toolName, known);
    return transport instanceof Stdio
            && tool.recognise() instanceof Recognise.ByKey(var carrier, _, _)
            && carrier == Recognise.Carrier.HEADER
        ? tool.withoutRecognition()
        : tool;
  }

  /**
   * The profile of a server that introduces itself so.
   *
   * @param ownName {@code serverInfo.name}; null if it gave none
   * @param version {@code serverInfo.version}; null if it gave none
   */
  public Optional<Profile> profileFor(@Nullable String ownName, @Nullable String version) {
    return switch (profile) {
      case ProfileChoice.ByServer _ -> Profiles.byServer(ownName, version);
      case ProfileChoice.None _ -> Optional.empty();
      case ProfileChoice.This(Profile chosen) -> Optional.of(chosen);
    };
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches() && !name.contains("__");
  }

  /**
   * How many come at once.
   *
   * @param atOnce how many attempts; at least 1, and {@link Integer#MAX_VALUE} for any number
   * @param queue how many calls may wait for that; zero or more
   */
  public record Crowd(int atOnce, int queue) {
    /** What holds when nobody says anything. */
    public static final Crowd STANDARD =
        new Crowd(Keys.Defaults.AT_ONCE.required(), Keys.Defaults.QUEUE.required());

    public Crowd {
      Positive.check("at once", atOnce);
      if (queue < 0) {
        throw new IllegalArgumentException("queue must not be negative: " + queue);
      }
    }
  }

  /** How a server is reached. */
  public sealed interface Transport {}

  /**
   * A process that speaks MCP over its standard streams.
   *
   * @param command the program: a path, or a name that is looked up on the PATH
   * @param env what is added to the environment that the process inherits
   * @param cwd where the process runs; null means where this process runs
   * @param stopGrace how long it has to end after its input is closed, and again after TERM, before
   *     it is killed; may be zero
   */
  public record Stdio(
      String command,
      List<String> args,
      Map<String, Secret> env,
      @Nullable Path cwd,
      Duration stopGrace)
      implements Transport {
    public Stdio {
      if (command.isBlank()) {
        throw new IllegalArgumentException("command must not be blank");
      }
      if (stopGrace.isNegative()) {
        throw new IllegalArgumentException("stop grace must not be negative: " + stopGrace);
      }
      args = List.copyOf(args);
      env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    }

    /** Without the arguments' text, which may carry a secret. */
    @Override
    public String toString() {
      return "Stdio[" + command + ", " + args.size() + " args, env=" + env.keySet() + "]";
    }
  }

  /**
   * An endpoint that speaks Streamable HTTP.
   *
   * @param url an absolute http or https URL without user information or fragment
   * @param headers what is added to every request
   * @param headersCommand prints more of them, over those of the same name; null for none
   * @param addresses where the URL's host may resolve to
   * @param connectTimeout how long connecting may take, TLS included
   * @param refusedStatuses 5xx statuses by which this server says that it did not do the request
   */
  public record Http(
      URI url,
      Map<String, Secret> headers,
      @Nullable HeadersCommand headersCommand,
      AddressRules addresses,
      Duration connectTimeout,
      Set<Integer> refusedStatuses)
      implements Transport {
    public Http {
      String scheme = url.getScheme();
      if (url.getHost() == null
          || !("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))) {
        throw new IllegalArgumentException("url must be http or https, with a host");
      }
      Positive.check("connect timeout", connectTimeout);
      headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
      refusedStatuses = Collections.unmodifiableSet(new TreeSet<>(refusedStatuses));
    }

    /** Without the URL's query, which may carry a secret. */
    @Override
    public String toString() {
      return "Http["
          + url.getScheme()
          + "://"
          + url.getAuthority()
          + url.getPath()
          + ", headers="
          + headers.keySet()
          + (headersCommand == null ? "" : ", " + headersCommand)
          + "]";
    }
  }
}
