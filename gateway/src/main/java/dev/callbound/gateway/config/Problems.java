package dev.callbound.gateway.config;

import java.util.ArrayList;
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

  /** Throws if anything was wrong. */
  void check() {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }
}
