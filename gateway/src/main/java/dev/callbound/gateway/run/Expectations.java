package dev.callbound.gateway.run;

import dev.callbound.gateway.config.ExpectConfig;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What runs may be expected to bring about. Immutable.
 *
 * @param servers the names of the servers that there are
 */
public record Expectations(ExpectConfig config, Set<String> servers) {
  public Expectations {
    servers = Set.copyOf(servers);
  }

  /** What is wrong with these, and what would be right; empty when nothing is. */
  public Optional<String> complaint(List<String> outputs) {
    if (outputs.size() > ExpectedOutput.MOST) {
      return Optional.of(
          "a run is expected to bring about %d outputs at most, not %d"
              .formatted(ExpectedOutput.MOST, outputs.size()));
    }
    return outputs.stream().flatMap(output -> complaint(output).stream()).findFirst();
  }

  private Optional<String> complaint(String output) {
    try {
      return Optional.ofNullable(complaint(ExpectedOutput.parse(output)));
    } catch (IllegalArgumentException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  private @Nullable String complaint(ExpectedOutput output) {
    return switch (output) {
      case ExpectedOutput.Tool tool ->
          servers.contains(tool.server())
              ? null
              : "there is no server named %s; those are %s".formatted(tool.server(), servers);
      case ExpectedOutput.File file ->
          config.allows(file.path())
              ? null
              : "%s may not be looked for; add its folder to expect.folders in the config"
                  .formatted(file.path());
      case ExpectedOutput.Url url ->
          config.allows(url.url())
              ? null
              : "%s may not be asked; add it to expect.hosts in the config"
                  .formatted(url.url().getHost());
    };
  }
}
