package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventStreamTest {
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void linesEndInThreeWays(String end) throws Exception {
    String text = ": hello\nid: 1\nevent: message\ndata: a\ndata:b\n\ndata: c\n\n";
    for (int chunk : new int[] {1, 2, 3, 1_000}) {
      assertThat(read(text.replace("\n", end), chunk, 1_000)).containsExactly("#", "a\nb", "c");
    }
  }

  @Test
  void separatorsThatAreNoEndsOfLinesStayInTheData() throws Exception {
    assertThat(read("data: a\u2028b\u2029c\u0085d\n\n", 2, 1_000))
        .containsExactly("a\u2028b\u2029c\u0085d");
  }

  @Test
  void anEventIsThereAsSoonAsItsLastByteIs() throws Exception {
    InputStream endless =
        new InputStream() {
          private final byte[] bytes = "data: a\r\r".getBytes(StandardCharsets.UTF_8);
          private int at;

          @Override
          public int read() throws IOException {
            if (at == bytes.length) {
              throw new IOException("read too far");
            }
            return bytes[at++];
          }

          @Override
          public int read(byte[] target, int from, int length) throws IOException {
            target[from] = (byte) read();
            return 1;
          }
        };
    assertThat(new EventStream(endless, 100).next()).isInstanceOf(EventStream.Item.Event.class);
  }

  @Test
  void idsAndTheTimeToComeBackAreKept() throws Exception {
    EventStream events =
        stream("id: 7\nretry: 250\ndata:\n\nretry: soon\nid: x\u0000y\ndata: b\n\n", 5, 100);
    assertThat(events.next()).isNotNull();
    assertThat(events.lastEventId()).isEqualTo("7");
    assertThat(events.retryMillis()).isEqualTo(250);
    assertThat(events.next()).isNotNull();
    assertThat(events.lastEventId()).isEqualTo("7");
    assertThat(events.next()).isNull();
  }

  @Test
  void anEventThatWasCutOffIsNone() throws Exception {
    EventStream events = stream("id: 7\ndata: whole\n\nid: 8\ndata: cut", 5, 100);
    assertThat(events.next()).isNotNull();
    assertThat(events.next()).isNull();
    assertThat(events.lastEventId()).isEqualTo("7");
  }

  @Test
  void aByteOrderMarkIsSkippedAndOtherTypesCarryNoMessage() throws Exception {
    assertThat(read("\uFEFFdata: a\n\nevent: ping\ndata: b\n\nother: c\ndata\n\n", 100, 100))
        .containsExactly("a", "-", "-");
  }

  @Test
  void anEventOverTheLimitIsRefusedAndNotCut() throws Exception {
    assertThat(read("data: 12345\n\n", 3, 5)).containsExactly("12345");
    assertThatThrownBy(() -> read("data: 123456\n\n", 3, 5))
        .isInstanceOf(BoundedBody.TooLargeException.class);
    assertThatThrownBy(() -> read("data: 123\ndata: 45\n\n", 100, 5))
        .isInstanceOf(BoundedBody.TooLargeException.class);
  }

  @Test
  void namesWithoutEndCostNothing() throws Exception {
    assertThat(read("x".repeat(100_000) + "\nid: " + "y".repeat(100_000) + "\ndata: a\n\n", 999, 5))
        .containsExactly("a");
  }

  private static List<String> read(String text, int chunk, int limit) throws IOException {
    EventStream events = stream(text, chunk, limit);
    List<String> read = new ArrayList<>();
    EventStream.Item item;
    while ((item = events.next()) != null) {
      read.add(
          switch (item) {
            case EventStream.Item.Comment _ -> "#";
            case EventStream.Item.Event event ->
                event.isMessage() ? new String(event.data(), StandardCharsets.UTF_8) : "-";
          });
    }
    return read;
  }

  private static EventStream stream(String text, int chunk, int limit) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    InputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public int read(byte[] target, int from, int length) {
            return super.read(target, from, Math.min(length, chunk));
          }
        };
    return new EventStream(in, limit);
  }
}
