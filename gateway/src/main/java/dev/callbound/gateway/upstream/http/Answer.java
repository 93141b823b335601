package dev.callbound.gateway.upstream.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response whose body has not been read yet. Closing it before its end closes the
 * connection; at its end the connection has gone back to the pool. Used by one thread.
 */
final class Answer implements AutoCloseable {
  private final HttpUriRequestBase request;
  private final ClassicHttpResponse response;
  private boolean handedOver;
  private @Nullable String remark;

  Answer(HttpUriRequestBase request, ClassicHttpResponse response) {
    this.request = request;
    this.response = response;
  }

  int status() {
    return response.getCode();
  }

  /** The value of a header field; null when it is missing. */
  @Nullable String header(String name) {
    Header header = response.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  /** The media type without its parameters, in lower case; empty when there is none. */
  String mediaType() {
    String value = header("Content-Type");
    if (value == null) {
      return "";
    }
    int end = value.indexOf(';');
    return (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** The body; empty where there is none. */
  InputStream body() throws IOException {
    HttpEntity entity = response.getEntity();
    InputStream content = entity == null ? null : entity.getContent();
    return content == null ? InputStream.nullInputStream() : content;
  }

  /** The length that was announced; negative when none was. */
  long announcedBytes() {
    HttpEntity entity = response.getEntity();
    return entity == null ? 0 : entity.getContentLength();
  }

  /** Sets what is known about it beside what the server says, and returns it. */
  Answer remark(String sentence) {
    remark = sentence;
    return this;
  }

  /** What is known about it beside what the server says; null where nothing is. */
  @Nullable String remark() {
    return remark;
  }

  /** The same response in other hands, which close it from now on. */
  Answer handOver() {
    handedOver = true;
    return new Answer(request, response);
  }

  @Override
  public void close() {
    if (handedOver) {
      return;
    }
    // To close a response alone would read what is left of it first; this closes its connection.
    request.cancel();
    try {
      response.close();
    } catch (IOException _) {
      // The connection is closed either way, which is all that was wanted.
      return;
    }
  }
}
