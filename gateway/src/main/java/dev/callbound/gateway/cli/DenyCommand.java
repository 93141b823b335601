package dev.callbound.gateway.cli;

import dev.callbound.journal.Ruling;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code callbound deny}. */
@Command(
    name = "deny",
    header = "Keep a call from being made that waits for a person.",
    description = {
      "",
      "The call is stopped: denied, its client is told so, and nothing is sent. The note is passed on",
      "to the client. Works while a gateway is running, and without one.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound waiting                           what waits, and what would be sent",
      "  callbound deny c_01kbdq2xb8 --note 'not on a Friday'"
    })
final class DenyCommand implements Callable<Integer> {
  @Mixin private RulingOptions options = new RulingOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  DenyCommand() {}

  @Override
  public Integer call() {
    return options.rule(spec, Ruling.Kind.DENIED);
  }
}
