package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.run.Run;
import dev.callbound.policy.Past;
import dev.callbound.policy.Reason;
import org.jspecify.annotations.Nullable;

/** Why a call is not let in. */
record Refusal(Reason.Stopped reason, String detail) {
  /**
   * Null where it is let in. Costs the server nothing, but for a fresh list.
   *
   * @param past what the call brings along: one in doubt may be settled by a check, which costs
   *     nothing, so it is for the loop to find out whether there is money for more
   */
  static @Nullable Refusal of(Asked asked, Order order, Carried carried, Past past) {
    Run run = asked.run();
    if (run.over() || run.deadline().atNanos() - System.nanoTime() <= 0) {
      String because = run.record().endedBecause();
      return new Refusal(
          Reason.Stopped.RUN_OVER,
          "the run is over: " + (because == null ? "its deadline passed" : because));
    }
    if (run.budget().limit() > 0 && run.budget().left() == 0) {
      return new Refusal(
          Reason.Stopped.RETRY_BUDGET_SPENT,
          "the run has used all of its " + run.budget().limit() + " retries");
    }
    String lack = past.doubt() == null ? order.means().lack() : null;
    if (lack != null) {
      return new Refusal(Reason.Stopped.SPEND_EXHAUSTED, lack);
    }
    if (carried.complaint() != null) {
      return new Refusal(Reason.Stopped.INVALID_ARGUMENTS, carried.complaint());
    }
    String complaint = complaint(asked, order, carried, asked.listed());
    if (complaint != null) {
      // The tool may have changed since it was listed.
      complaint =
          complaint(
              asked,
              order,
              carried,
              asked.server().freshTool(asked.tool(), asked.session().caller()));
    }
    return complaint == null ? null : new Refusal(Reason.Stopped.INVALID_ARGUMENTS, complaint);
  }

  private static @Nullable String complaint(
      Asked asked, Order order, Carried carried, ServerTools.@Nullable Tool listed) {
    if (listed == null) {
      return null;
    }
    Json sent = carried.params().get("arguments");
    String complaint = listed.schema().complaint(sent == null ? asked.arguments() : sent);
    boolean ours =
        complaint != null
            && !(order.recognise() instanceof Recognise.Nothing)
            && listed.schema().complaint(asked.arguments()) == null;
    return ours
        ? complaint
            + "; the gateway's configuration adds that for recognise, which this tool does not take"
        : complaint;
  }
}
