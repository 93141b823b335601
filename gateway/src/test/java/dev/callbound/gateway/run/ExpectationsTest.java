package dev.callbound.gateway.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.ExpectConfig;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpectationsTest {
  private static final Expectations NARROW =
      new Expectations(
          new ExpectConfig(List.of(Path.of("/srv/out")), List.of("status.example", "b.example:81")),
          Set.of("mail"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tool:mail/send",
        "file:/srv/out/report.md",
        "url:http://localhost:8080/healthz",
        "url:http://127.0.0.1/",
        "url:http://[::1]:8080/",
        "url:https://status.example:8443/x",
        "url:http://b.example:81/"
      })
  void whatIsAllowedIsNoComplaint(String output) {
    assertThat(NARROW.complaint(List.of(output))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "tool:crm/send, no server named crm",
    "tool:mail, tool:SERVER/TOOL",
    "file:/srv/out/../secret, expect.folders",
    "file:/etc/passwd, expect.folders",
    "file:report.md, whole path",
    "url:http://169.254.169.254/latest, expect.hosts",
    "url:http://b.example:82/, expect.hosts",
    "url:http://localhost.evil.example/, expect.hosts",
    "url:http://user:secret@localhost/, without a user",
    "url:ftp://localhost/, http://HOST/PATH",
    "report.md, 'tool:SERVER/TOOL, file:/PATH or url:URL'"
  })
  void whatIsNotAllowedIsNamedWithWhatWouldBe(String output, String words) {
    assertThat(NARROW.complaint(List.of(output)).orElse("")).contains(words);
  }

  @Test
  void thereAreNotTooMany() {
    assertThat(NARROW.complaint(Collections.nCopies(21, "tool:mail/send")).orElse(""))
        .contains("20", "21");
  }
}
