package dev.callbound.gateway.config;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads how a server is reached: by a command or by a URL, never both.
 *
 * @param reader the server's mapping
 */
record TransportReader(MappingReader reader, UserFolders folders) {
  /** What means something only with a command. */
  private static final List<Key> OF_COMMAND =
      List.of(Keys.Server.ARGS, Keys.Server.ENV, Keys.Server.CWD, Keys.Server.STOP_GRACE);

  /** What means something only with a URL. */
  private static final List<Key> OF_URL =
      List.of(
          Keys.Server.HEADERS,
          Keys.Server.HEADERS_COMMAND,
          Keys.McpServer.HEADERS_HELPER,
          Keys.Server.CONNECT_TIMEOUT,
          Keys.Server.ALLOW_ADDRESSES,
          Keys.Server.REFUSED_STATUSES);

  /** The transport; null if it can't be made, which is reported. */
  ServerConfig.@Nullable Transport read() {
    TransportType type = reader.written(Keys.Server.TYPE);
    boolean command = reader.has(Keys.Server.COMMAND);
    boolean url = reader.has(Keys.Server.URL);
    if (command && url) {
      reader.problem("has both command and url", "keep command for stdio, or url for HTTP");
      return null;
    }
    if (!command && !url) {
      reader.problem("has neither command nor url", "set command for stdio, or url for HTTP");
      return null;
    }
    if (type != null && (type == TransportType.STDIO) != command) {
      reader.problem(
          Keys.Server.TYPE,
          "contradicts " + (command ? "command" : "url"),
          "write " + (command ? "stdio" : "http") + ", or leave it out");
    }
    reportStray(command ? OF_URL : OF_COMMAND, command);
    return command ? stdio() : http();
  }

  private void reportStray(List<Key> keys, boolean command) {
    for (Key key : keys) {
      if (reader.has(key)) {
        reader.problem(
            key,
            "means nothing for a server with " + (command ? "a command" : "a url"),
            "leave it out");
      }
    }
  }

  private ServerConfig.@Nullable Stdio stdio() {
    String command = reader.written(Keys.Server.COMMAND);
    String cwd = reader.written(Keys.Server.CWD);
    List<String> args = reader.values(Keys.Server.ARGS);
    Map<String, Secret> env = reader.pairs(Keys.Server.ENV);
    env.forEach(
        (name, value) -> {
          if (name.isEmpty() || name.contains("=") || value.reveal().indexOf('\0') >= 0) {
            reader.problem(
                Keys.Server.ENV, "'" + name + "' can't be a variable", "leave out = and NUL");
          }
        });
    if (command == null) {
      return null;
    }
    Path folder = cwd == null ? null : folders.resolve(cwd, reader.file().folder());
    return new ServerConfig.Stdio(command, args, env, folder, reader.value(Keys.Server.STOP_GRACE));
  }

  /** What is posted to over HTTP; null if no URL is written, or it can't be used. */
  ServerConfig.@Nullable Http http() {
    URI url = reader.written(Keys.Server.URL);
    Map<String, Secret> headers = headers();
    HeadersCommand headersCommand = headersCommand();
    List<AddressRange> listed = reader.values(Keys.Server.ALLOW_ADDRESSES);
    var connectTimeout = reader.value(Keys.Server.CONNECT_TIMEOUT);
    Set<Integer> refused = new TreeSet<>(reader.values(Keys.Server.REFUSED_STATUSES));
    if (url == null) {
      return null;
    }
    List<AddressRange> allowed = new ArrayList<>(listed);
    for (AddressRange named : named(url)) {
      if (AddressRules.isForbidden(named)) {
        reader.problem(
            Keys.Server.URL,
            "names " + url.getHost() + ", a link-local address or a cloud's metadata service",
            "name a server at another address; these are never reached");
        return null;
      }
      allowed.add(named);
    }
    return new ServerConfig.Http(
        url, headers, headersCommand, new AddressRules(allowed), connectTimeout, refused);
  }

  /** What the URL itself names: its literal address, or what {@code localhost} stands for. */
  private static List<AddressRange> named(URI url) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    if (host.equals("localhost")) {
      return AddressRules.LOOPBACK;
    }
    // Without a zone, which only this machine's own interfaces could tell.
    String literal =
        host.startsWith("[") ? host.substring(1, host.length() - 1).replaceFirst("%.*", "") : host;
    try {
      InetAddress address = InetAddress.ofLiteral(literal);
      return List.of(new AddressRange(address, address.getAddress().length * Byte.SIZE));
    } catch (IllegalArgumentException nameInsteadOfAddress) {
      return List.of();
    }
  }

  private @Nullable HeadersCommand headersCommand() {
    List<String> command = reader.written(Keys.Server.HEADERS_COMMAND);
    if (command == null) {
      String line = reader.verbatim(Keys.McpServer.HEADERS_HELPER);
      return line == null
          ? null
          : HeadersCommand.ofShell(
              Keys.McpServer.HEADERS_HELPER.name(), line, reader.file().folder());
    }
    if (command.isEmpty() || command.getFirst().isBlank()) {
      reader.problem(
          Keys.Server.HEADERS_COMMAND,
          "names no program",
          "write a program and its arguments, as in [./crm-headers.sh]");
      return null;
    }
    return new HeadersCommand(Keys.Server.HEADERS_COMMAND.name(), command, reader.file().folder());
  }

  private Map<String, Secret> headers() {
    Map<String, Secret> headers = new LinkedHashMap<>();
    reader
        .pairs(Keys.Server.HEADERS)
        .forEach(
            (name, value) -> {
              if (HeaderRules.isOwn(name)) {
                reader.warning(
                    Keys.Server.HEADERS, name + " is set by the gateway itself; left out");
              } else if (!HeaderRules.isName(name)) {
                reader.problem(
                    Keys.Server.HEADERS,
                    "'" + name + "' is not a header's name",
                    "use letters, digits and -");
              } else if (!HeaderRules.isValue(value.reveal())) {
                reader.problem(
                    Keys.Server.HEADERS,
                    "the value of " + name + " holds a line break or another control character",
                    "check the variable for a trailing line break");
              } else {
                headers.put(name, value);
              }
            });
    return headers;
  }
}
