package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settling;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Finding;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Asks a provider about one unknown call where no gateway is at hand: for the command line. Blocks
 * while it asks.
 */
public final class ProviderCheck {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final ServerTools tools;
  private final Settlings settlings;
  private final InstantSource clock;

  /** A check at this server. */
  public ProviderCheck(
      ServerConfig config, UpstreamServer server, Secrets secrets, InstantSource clock) {
    this.tools =
        new ServerTools(
            config,
            server,
            Gates.unremembered(config, new Cancellation()),
            KnownTools.NOTHING,
            clock);
    this.settlings = new Settlings(new ContentsByTool(secrets), clock);
    this.clock = clock;
  }

  /** What came of asking. */
  public sealed interface Learnt {
    /** This much is known now. */
    record Known(Settling settling) implements Learnt {}

    /** Nothing. */
    record Nothing(String why) implements Learnt {}
  }

  /**
   * Asks.
   *
   * @param call an unknown call of this server
   * @param resend its parameters, as the journal kept them
   * @param who asks: a name for people
   */
  public Learnt ask(CallRecord call, String resend, String who) {
    ToolConfig bounds = tools.bounds(call.tool());
    String key = call.key();
    Ending ending = call.ending();
    if (!(bounds.recognise() instanceof Recognise.ByCheck how) || key == null || ending == null) {
      return new Learnt.Nothing("the config has no check for the tool " + call.tool());
    }
    Cancellation cancellation = new Cancellation();
    long ago = Duration.between(ending.endedAt(), clock.instant()).toNanos();
    Finding<Json> found =
        new Checker(
                tools,
                how,
                arguments(resend),
                key,
                Dialect.gateway(Revision.NEWEST_WITH_SESSIONS),
                cancellation)
            .ask(Deadline.after(LONGEST, cancellation), System.nanoTime() - ago);
    return switch (found) {
      case Finding.Landed<Json>(Json result) ->
          new Learnt.Known(
              settlings.landed(call, bounds, result, SettledBy.CHECK, who, Settlings.FOUND));
      case Finding.Absent<Json> _ ->
          new Learnt.Known(settlings.absent(call.id(), SettledBy.CHECK, who, Settlings.NOT_FOUND));
      case Finding.Unclear<Json>(String why) -> new Learnt.Nothing(why);
    };
  }

  private static Json arguments(String resend) {
    try {
      Json arguments = Json.parse(resend.getBytes(StandardCharsets.UTF_8)).at("arguments");
      return arguments == null ? JsonObject.EMPTY.toJson() : arguments;
    } catch (MalformedMessageException _) {
      // A journal that was edited by hand: the check will say what it misses.
      return JsonObject.EMPTY.toJson();
    }
  }
}
