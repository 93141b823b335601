package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The six questions as a table. A row is a failure and whether the call has already waited a time
 * that the provider named (yes, no, or - for either); a column is what the call is.
 *
 * <p>A write whose key the provider has forgotten is one of {@code none}. {@code read} holds for
 * every recognition. The columns with {@code +} are those of a write of which an earlier attempt
 * may have run; {@code in doubt} is {@code unknown} with the reason of that attempt.
 */
final class ClassifierTest {
  private static final String TABLE =
      """
      failure           | waited | read                    | write none                  | write key                   | write check                 | none+                       | key+                        | check+
      refused           | -      | stop refused            | stop refused                | stop refused                | stop refused                | in doubt                    | in doubt                    | in doubt
      key conflict      | -      | stop key_conflict       | stop key_conflict           | stop key_conflict           | stop key_conflict           | in doubt                    | in doubt                    | in doubt
      unsafe            | -      | stop unsafe_endpoint    | stop unsafe_endpoint        | stop unsafe_endpoint        | stop unsafe_endpoint        | in doubt                    | in doubt                    | in doubt
      cancelled unsent  | -      | stop cancelled          | stop cancelled              | stop cancelled              | stop cancelled              | in doubt                    | in doubt                    | in doubt
      cancelled sent    | -      | stop cancelled          | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight
      shut down         | -      | stop cancelled          | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight | unknown cancelled_in_flight
      tool error        | -      | stop tool_error         | stop tool_error             | stop tool_error             | stop tool_error             | in doubt                    | in doubt                    | in doubt
      tool error 401    | -      | stop refused            | stop refused                | stop refused                | stop refused                | in doubt                    | in doubt                    | in doubt
      tool error 429    | no     | back off                | stop rate_limited           | stop rate_limited           | stop rate_limited           | in doubt                    | in doubt                    | in doubt
      tool error 429    | yes    | stop rate_limited       | stop rate_limited           | stop rate_limited           | stop rate_limited           | in doubt                    | in doubt                    | in doubt
      tool error 429 2s | no     | wait 2s                 | stop rate_limited           | stop rate_limited           | stop rate_limited           | in doubt                    | in doubt                    | in doubt
      tool error 429 2s | yes    | stop rate_limited       | stop rate_limited           | stop rate_limited           | stop rate_limited           | in doubt                    | in doubt                    | in doubt
      tool error 500    | -      | back off                | unknown server_error        | unknown server_error        | unknown server_error        | unknown server_error        | unknown server_error        | unknown server_error
      too large         | -      | stop response_too_large | unknown response_too_large  | unknown response_too_large  | ask first                   | unknown response_too_large  | unknown response_too_large  | ask first
      limited           | no     | back off                | back off                    | back off                    | back off                    | in doubt                    | back off                    | ask first
      limited           | yes    | stop rate_limited       | stop rate_limited           | stop rate_limited           | stop rate_limited           | in doubt                    | in doubt                    | in doubt
      limited 2s        | no     | wait 2s                 | wait 2s                     | wait 2s                     | wait 2s                     | in doubt                    | wait 2s                     | ask first
      limited 2s        | yes    | stop rate_limited       | stop rate_limited           | stop rate_limited           | stop rate_limited           | in doubt                    | in doubt                    | in doubt
      not sent          | -      | back off                | back off                    | back off                    | back off                    | in doubt                    | back off                    | ask first
      server error      | -      | back off                | unknown server_error        | back off                    | ask first                   | unknown server_error        | back off                    | ask first
      timed out         | -      | back off                | unknown timed_out           | back off                    | ask first                   | unknown timed_out           | back off                    | ask first
      stalled           | -      | back off                | unknown timed_out           | back off                    | ask first                   | unknown timed_out           | back off                    | ask first
      broken            | -      | back off                | unknown connection_lost     | back off                    | ask first                   | unknown connection_lost     | back off                    | ask first
      worker died       | -      | back off                | unknown worker_died         | back off                    | ask first                   | unknown worker_died         | back off                    | ask first
      garbled           | -      | back off                | unknown garbled_answer      | back off                    | ask first                   | unknown garbled_answer      | back off                    | ask first
      """;

  /** No attempt leaves this doubt by itself, so it can only come from the circumstances. */
  private static final Reason.Unknown EARLIER = Reason.Unknown.CHECK_FAILED;

  private record Row(Failure failure, Circumstances circumstances, Verdict expected) {}

  @TestFactory
  Stream<DynamicTest> theVerdictIsTheOneInTheTable() {
    return rows().stream()
        .map(
            row ->
                dynamicTest(
                    row.failure() + " in " + row.circumstances(),
                    () ->
                        assertThat(Classifier.classify(row.failure(), row.circumstances()))
                            .isEqualTo(row.expected())));
  }

  @Test
  void everyKindOfFailureHasARow() {
    assertThat(rows().stream().map(row -> row.failure().getClass()).collect(Collectors.toSet()))
        .isEqualTo(Stream.of(Failure.class.getPermittedSubclasses()).collect(Collectors.toSet()));
  }

  @Test
  void everyFailureHasACellInAllCircumstances() {
    var expected = new ArrayList<String>();
    for (Failure failure : Failures.all().toList()) {
      for (Recognition recognition : Recognition.values()) {
        for (boolean waited : new boolean[] {false, true}) {
          expected.add(failure + " " + certain(Effect.READ, recognition, waited));
          expected.add(failure + " " + certain(Effect.WRITE, recognition, waited));
          expected.add(failure + " " + inDoubt(recognition, waited));
        }
      }
    }
    assertThat(rows().stream().map(row -> row.failure() + " " + row.circumstances()))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<Row> rows() {
    var rows = new ArrayList<Row>();
    TABLE.lines().skip(1).map(line -> line.split("\\|", -1)).forEach(cells -> addRows(cells, rows));
    return rows;
  }

  private static void addRows(String[] cells, List<Row> rows) {
    Failure failure = Failures.named(cells[0].strip());
    for (boolean waited : waited(cells[1].strip())) {
      for (Recognition recognition : Recognition.values()) {
        int column =
            switch (recognition) {
              case NONE -> 0;
              case KEY -> 1;
              case CHECK -> 2;
            };
        Circumstances read = certain(Effect.READ, recognition, waited);
        Circumstances write = certain(Effect.WRITE, recognition, waited);
        rows.add(new Row(failure, read, verdict(cells[2])));
        rows.add(new Row(failure, write, verdict(cells[3 + column])));
        rows.add(new Row(failure, inDoubt(recognition, waited), verdict(cells[6 + column])));
      }
    }
  }

  private static Circumstances certain(Effect effect, Recognition recognition, boolean waited) {
    Circumstances initial = Circumstances.initial(effect, recognition);
    return waited ? initial.havingWaitedAsTold() : initial;
  }

  private static Circumstances inDoubt(Recognition recognition, boolean waited) {
    return new Circumstances(Effect.WRITE, recognition, EARLIER, waited);
  }

  private static boolean[] waited(String cell) {
    return switch (cell) {
      case "-" -> new boolean[] {false, true};
      case "yes" -> new boolean[] {true};
      case "no" -> new boolean[] {false};
      default -> throw new IllegalArgumentException("waited must be yes, no or -: " + cell);
    };
  }

  private static Verdict verdict(String cell) {
    String[] words = cell.strip().split(" ", -1);
    return switch (words[0]) {
      case "stop" -> new Verdict.Stop(Reason.Stopped.valueOf(words[1].toUpperCase(Locale.ROOT)));
      case "unknown" ->
          new Verdict.Unknown(Reason.Unknown.valueOf(words[1].toUpperCase(Locale.ROOT)));
      case "in" -> new Verdict.Unknown(EARLIER);
      case "wait" -> new Verdict.Retry(Duration.ofSeconds(2));
      case "back" -> new Verdict.Retry(null);
      case "ask" -> new Verdict.AskFirst();
      default -> throw new IllegalArgumentException("no such verdict: " + cell);
    };
  }
}
