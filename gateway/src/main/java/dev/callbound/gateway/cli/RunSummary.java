package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import java.util.List;

/**
 * A run at a glance.
 *
 * @param outcomes how its calls ended
 * @param outputs what it is expected to bring about
 */
record RunSummary(RunRecord run, OutcomeCounts outcomes, List<OutputRecord> outputs) {
  RunSummary {
    outputs = List.copyOf(outputs);
  }

  static RunSummary of(RunRecord run, JournalReader journal) {
    return new RunSummary(run, journal.outcomes(run.id()), journal.outputsOf(run.id()));
  }

  /** How much of what is expected is there. */
  long outputsThere() {
    return outputs.stream().filter(OutputRecord::there).count();
  }

  ObjectNode toJson() {
    return RecordJson.run(run, outcomes, outputs);
  }
}
