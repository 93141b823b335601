package dev.callbound.gateway.config;

import java.util.Locale;

/** How a server says that it is reached, where its config says so at all. */
enum TransportType {
  STDIO,
  HTTP;

  /** Reads the spellings of this file and of the other programs' files. */
  static TransportType parse(String text) throws FormatException {
    return switch (text.toLowerCase(Locale.ROOT).replaceAll("[-_]", "")) {
      case "stdio" -> STDIO;
      case "http", "streamablehttp" -> HTTP;
      case "sse" ->
          throw new FormatException(
              "is the old HTTP+SSE transport, which is not supported",
              "name the server's Streamable HTTP endpoint, with type http");
      default ->
          throw new FormatException(
              "is not a transport", "write stdio, http or streamable-http, or leave it out");
    };
  }
}
