package dev.callbound.gateway.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How many a list shows. */
final class LimitOption {
  private static final int MOST = 10_000;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "20",
      description = "How many at most, 1 to 10000. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** For picocli. */
  LimitOption() {}

  int value() {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(
          Program.of(spec), "--limit must be from 1 to " + MOST + ": " + limit);
    }
    return limit;
  }
}
