package dev.callbound.gateway.cli;

import dev.callbound.journal.Ruling;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code callbound approve}. */
@Command(
    name = "approve",
    header = "Let a call be made that waits for a person.",
    description = {
      "",
      "Which calls wait is said in the config: approve. callbound waiting lists them with what will be",
      "sent. Nothing of such a call has been sent before. Works while a gateway is running, and",
      "without one.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound waiting                           what waits, and what will be sent",
      "  callbound approve c_01kbdq2xb8              it is made",
      "  callbound approve c_01kbdq2xb8 --note 'asked Ana'"
    })
final class ApproveCommand implements Callable<Integer> {
  @Mixin private RulingOptions options = new RulingOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  ApproveCommand() {}

  @Override
  public Integer call() {
    return options.rule(spec, Ruling.Kind.APPROVED);
  }
}
