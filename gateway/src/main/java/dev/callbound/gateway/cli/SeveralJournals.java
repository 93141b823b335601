package dev.callbound.gateway.cli;

import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.Replay;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.TaskReader;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Journals that lie beside each other, read as one: ids are unique across them. */
final class SeveralJournals implements JournalReader {
  private final List<JournalReader> journals;

  /** Reads these, and closes them. */
  SeveralJournals(List<JournalReader> journals) {
    this.journals = List.copyOf(journals);
  }

  @Override
  public Optional<RunRecord> run(String id) {
    return first(journal -> journal.run(id));
  }

  @Override
  public Optional<RunRecord> runNamed(String principal, String name) {
    return first(journal -> journal.runNamed(principal, name));
  }

  @Override
  public List<RunRecord> runs(Set<RunState> states, int limit) {
    return all(journal -> journal.runs(states, limit))
        .sorted(Comparator.comparing(RunRecord::id).reversed())
        .limit(limit)
        .toList();
  }

  @Override
  public List<EventRecord> eventsOf(String run, long after, int limit) {
    return all(journal -> journal.eventsOf(run, after, limit)).toList();
  }

  @Override
  public List<OutputRecord> outputsOf(String run) {
    return all(journal -> journal.outputsOf(run)).toList();
  }

  @Override
  public boolean hasEndedOk(String run, String server, String tool) {
    return journals.stream().anyMatch(journal -> journal.hasEndedOk(run, server, tool));
  }

  @Override
  public OutcomeCounts outcomes(String run) {
    return journals.stream()
        .filter(journal -> journal.run(run).isPresent())
        .findFirst()
        .map(journal -> journal.outcomes(run))
        .orElse(OutcomeCounts.NONE);
  }

  @Override
  public Optional<CallRecord> call(String id) {
    return first(journal -> journal.call(id));
  }

  @Override
  public List<CallRecord> callsOf(String run, int limit) {
    return all(journal -> journal.callsOf(run, limit)).toList();
  }

  @Override
  public List<AttemptRecord> attemptsOf(String call) {
    return all(journal -> journal.attemptsOf(call)).toList();
  }

  @Override
  public Optional<CallRecord> latestOfKey(String key) {
    return all(journal -> journal.latestOfKey(key).stream().toList())
        .max(Comparator.comparing(CallRecord::id));
  }

  @Override
  public Optional<CallRecord> latestOfStep(String run, String step, String server, String tool) {
    return first(journal -> journal.latestOfStep(run, step, server, tool));
  }

  @Override
  public Optional<Instant> firstSent(String key) {
    return all(journal -> journal.firstSent(key).stream().toList()).min(Comparator.naturalOrder());
  }

  @Override
  public List<RepeatRecord> repeatsOf(String call) {
    return all(journal -> journal.repeatsOf(call)).toList();
  }

  @Override
  public Optional<Replay> replay(String call) {
    return first(journal -> journal.replay(call));
  }

  @Override
  public Optional<String> resend(String call) {
    return first(journal -> journal.resend(call));
  }

  @Override
  public List<Divergence> divergencesOf(String call) {
    return all(journal -> journal.divergencesOf(call)).toList();
  }

  @Override
  public List<CallRecord> unsettledCheckable(int limit) {
    return all(journal -> journal.unsettledCheckable(limit))
        .sorted(Comparator.comparing(CallRecord::id).reversed())
        .limit(limit)
        .toList();
  }

  @Override
  public List<CallRecord> unknowns(int limit) {
    return all(journal -> journal.unknowns(limit))
        .sorted(Comparator.comparing(CallRecord::id).reversed())
        .limit(limit)
        .toList();
  }

  @Override
  public TaskReader tasks() {
    return new SeveralTasks(journals.stream().map(JournalReader::tasks).toList());
  }

  @Override
  public List<String> idsBeginning(String prefix, int limit) {
    return all(journal -> journal.idsBeginning(prefix, limit)).sorted().limit(limit).toList();
  }

  @Override
  public List<CircuitRecord> circuits() {
    return all(JournalReader::circuits).toList();
  }

  @Override
  public Map<String, Set<String>> toolsSeen() {
    Map<String, Set<String>> seen = new HashMap<>();
    for (JournalReader journal : journals) {
      journal
          .toolsSeen()
          .forEach(
              (server, tools) -> seen.computeIfAbsent(server, _ -> new HashSet<>()).addAll(tools));
    }
    return seen;
  }

  @Override
  public void close() {
    journals.forEach(JournalReader::close);
  }

  private <T> Optional<T> first(Function<JournalReader, Optional<T>> look) {
    return journals.stream().flatMap(journal -> look.apply(journal).stream()).findFirst();
  }

  private <T> Stream<T> all(Function<JournalReader, List<T>> look) {
    return journals.stream().flatMap(journal -> look.apply(journal).stream());
  }
}
