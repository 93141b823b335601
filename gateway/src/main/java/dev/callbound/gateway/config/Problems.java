package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong, so that it can be said all at once. Not thread-safe. */
final class Problems {
  private final List<ConfigProblem> problems = new ArrayList<>();

  void add(ConfigProblem problem) {
    problems.add(problem);
  }

  boolean isEmpty() {
    return problems.isEmpty();
  }

  /** Throws if anything was wrong: file by file, from the top down. */
  void check() {
    if (!problems.isEmpty()) {
      List<String> files = problems.stream().map(ConfigProblem::file).distinct().toList();
      throw new ConfigException(
          problems.stream()
              .sorted(
                  Comparator.<ConfigProblem>comparingInt(problem -> files.indexOf(problem.file()))
                      .thenComparingInt(ConfigProblem::line))
              .toList());
    }
  }
}
