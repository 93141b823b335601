package dev.callbound.gateway.config;

import java.util.List;
import java.util.stream.Collectors;

/** The config can't be used. It says everything that is wrong with it, not only the first thing. */
public final class ConfigException extends RuntimeException {
  /** Nobody mends more than this before trying again. */
  public static final int MOST_SHOWN = 20;

  private final transient List<ConfigProblem> problems;

  /** The problems in the order in which they are to be read; at least one. */
  public ConfigException(List<ConfigProblem> problems) {
    super(describe(problems));
    this.problems = List.copyOf(problems);
  }

  /** What is wrong, at least one and all that were found. */
  public List<ConfigProblem> problems() {
    return problems;
  }

  private static String describe(List<ConfigProblem> problems) {
    String shown =
        problems.stream()
            .limit(MOST_SHOWN)
            .map(ConfigProblem::toString)
            .collect(Collectors.joining("\n"));
    int more = problems.size() - MOST_SHOWN;
    return more > 0 ? shown + "\nand " + more + " more" : shown;
  }
}
