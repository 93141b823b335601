package dev.callbound.gateway.door.http;

import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;

/** The body of a request, whole. The server turns away one that is over the limit. */
final class Body {
  private Body() {}

  static byte[] read(ServerRequest request) throws IOException {
    // Not closed: to close it is to read what a client, turned away for too much, never sends.
    InputStream in = request.content().inputStream();
    return in.readAllBytes();
  }
}
