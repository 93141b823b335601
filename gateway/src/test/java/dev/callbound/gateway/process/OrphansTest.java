package dev.callbound.gateway.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.testkit.Eventually;
import java.io.BufferedReader;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What outlived the first process of its group is ended where it is ours, and only there. */
@EnabledOnOs(OS.LINUX)
class OrphansTest {
  private static final String MARK = "CALLBOUND_ORPHANS_TEST";
  private static final Instant LONG_AGO = Instant.EPOCH;

  @Test
  void whatCarriesTheMarkIsEnded() throws Exception {
    Orphan orphan = Orphan.of(MARK);
    Family left = Family.orphans(orphan.group(), LONG_AGO, MARK);

    assertThat(left.alive()).isTrue();
    assertThat(left.end(Duration.ofSeconds(2))).isTrue();
    assertThat(Eventually.holds(() -> !orphan.isAlive())).isTrue();
  }

  @Test
  void whatDoesNotCarryItIsSomebodyElses() throws Exception {
    Orphan orphan = Orphan.of("ANOTHER_MARK");
    try {
      Family left = Family.orphans(orphan.group(), LONG_AGO, MARK);

      assertThat(left.alive()).isFalse();
      left.kill();
      assertThat(orphan.isAlive()).isTrue();
    } finally {
      orphan.end();
    }
  }

  @Test
  void whatStartedBeforeIsSomebodyElses() throws Exception {
    Orphan orphan = Orphan.of(MARK);
    try {
      assertThat(Family.orphans(orphan.group(), Instant.now().plusSeconds(60), MARK).alive())
          .isFalse();
    } finally {
      orphan.end();
    }
  }

  /** A process whose parent led its group, and has gone. */
  private record Orphan(long group, ProcessHandle process) {
    static Orphan of(String variable) throws Exception {
      ProcessBuilder builder =
          new ProcessBuilder("sh", "-c", "sleep 3600 >/dev/null 2>&1 & echo $!");
      builder.environment().put(variable, "1");
      Process parent = Leader.start(builder).process();
      try (BufferedReader out = parent.inputReader()) {
        long child = Long.parseLong(out.readLine());
        parent.waitFor();
        return new Orphan(parent.pid(), ProcessHandle.of(child).orElseThrow());
      }
    }

    boolean isAlive() {
      return process.isAlive();
    }

    void end() {
      process.destroyForcibly();
    }
  }
}
