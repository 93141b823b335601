package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import dev.callbound.policy.Finding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settles unknown calls for those who come and say so, and asks about them on demand. Thread-safe.
 */
public final class Unknowns {
  /** More of what was given for an id is not repeated. */
  private static final int LONGEST_ID = 40;

  private final JournalReader journal;
  private final InstantSource clock;
  private final KeptOrders orders;
  private final Settler settler;

  Unknowns(JournalReader journal, InstantSource clock, KeptOrders orders, Settler settler) {
    this.journal = journal;
    this.clock = clock;
    this.orders = orders;
    this.settler = settler;
  }

  /** A call of the principal's by its id; empty where it has none. */
  public Optional<CallRecord> call(String principal, String id) {
    return journal
        .call(id)
        .filter(
            call ->
                journal
                    .run(call.run())
                    .filter(run -> run.principal().equals(principal))
                    .isPresent());
  }

  /** What is told of an id of which the principal has no call. */
  static String noCall(String id) {
    String shown = id.length() <= LONGEST_ID ? id : id.substring(0, LONGEST_ID) + "…";
    return "There is no call %s. Give the whole id, as it was given to you.".formatted(shown);
  }

  /**
   * Takes over what somebody says about a call. On disk when it returns.
   *
   * @param landed whether it took effect
   * @param who a name for people
   * @param note what they have to say about it; null for nothing
   * @throws dev.callbound.journal.JournalException if it can't be recorded
   */
  public SettleResult said(
      String call, boolean landed, SettledBy by, String who, @Nullable String note) {
    return settler.said(call, landed, by, who, note);
  }

  /**
   * Asks the provider about a call, once. Blocks while it is asked; an index that lags is waited
   * for.
   *
   * @return why nothing could be learnt; empty when the call is settled now
   */
  public Optional<String> ask(CallRecord call, String who) {
    Ending ending = call.ending();
    Optional<Order> order = journal.resend(call.id()).flatMap(resend -> orders.of(call, resend));
    if (ending == null || order.isEmpty()) {
      return Optional.of(
          "it can't be asked about: its tool has no check, or its arguments were not kept");
    }
    Duration ago = Duration.between(ending.endedAt(), clock.instant());
    Finding<Json> found = settler.ask(order.get(), System.nanoTime() - ago.toNanos());
    settler.learnt(order.get(), found, who);
    return found instanceof Finding.Unclear<Json>(String why) ? Optional.of(why) : Optional.empty();
  }
}
