package dev.callbound.gateway.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What a command knows of the command line that it was made by. */
final class Program {
  private Program() {}

  /** The command's own command line; picocli has set the spec by the time that it runs. */
  static CommandLine of(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec, "picocli sets it").commandLine();
  }
}
