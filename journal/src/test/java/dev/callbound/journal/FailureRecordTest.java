package dev.callbound.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Failure;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is remembered of a failure says the same as the failure did. */
final class FailureRecordTest {
  private static final List<Failure> ALL =
      List.of(
          new Failure.NotSent("connection refused"),
          new Failure.Refused(403, "403"),
          new Failure.KeyConflict("other arguments"),
          new Failure.Limited(null, "429"),
          new Failure.ServerError(500, "500"),
          new Failure.TimedOut(Duration.ofSeconds(1), Failure.TimedOut.Timer.DEADLINE),
          new Failure.Broken("reset"),
          new Failure.WorkerDied(),
          new Failure.Garbled("not JSON"),
          new Failure.TooLarge(2, 1),
          new Failure.ToolError(502, null),
          Failure.ToolError.PLAIN,
          new Failure.Unsafe("10.0.0.1"),
          new Failure.Cancelled(Failure.Cancelled.By.CLIENT, true),
          new Failure.Cancelled(Failure.Cancelled.By.CLIENT, false));

  @Test
  void everyKindIsHere() {
    assertThat(ALL.stream().map(Object::getClass).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(Arrays.asList(Failure.class.getPermittedSubclasses()));
  }

  @Test
  void whetherItArrivedAndMayHaveRunIsRemembered() {
    for (Failure failure : ALL) {
      FailureRecord record = FailureRecord.of(failure);

      assertThat(record.neverArrived()).as("%s", failure).isEqualTo(failure.neverArrived());
      assertThat(record.mayHaveRun()).as("%s", failure).isEqualTo(failure.mayHaveRun());
      assertThat(record.doubt() != null).as("%s", failure).isEqualTo(failure.mayHaveRun());
    }
  }
}
