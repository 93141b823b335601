package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Approve;
import dev.callbound.gateway.config.Waiting;
import dev.callbound.gateway.mcp.Json;
import java.util.ArrayList;
import java.util.List;

/** The tools that are the gateway's own. Thread-safe. */
final class OwnTools {
  private final OutcomeTool outcome;
  private final AwaitTool await;

  OwnTools(OutcomeTool outcome, AwaitTool await) {
    this.outcome = outcome;
    this.await = await;
  }

  /**
   * Those that are of use to a client.
   *
   * @param shown the servers whose tools it sees
   */
  List<Json> listed(Session session, List<ServerTools> shown) {
    List<Json> listed = new ArrayList<>(outcome.listed());
    // A client that takes tasks is never told to come back in another way.
    if (!session.takesTasks() && shown.stream().anyMatch(server -> mayLetGo(server, session))) {
      listed.add(AwaitTool.LISTED);
    }
    return listed;
  }

  private static boolean mayLetGo(ServerTools server, Session session) {
    return server.known(session.caller()).values().stream()
        .map(tool -> tool.bounds().waiting())
        .anyMatch(OwnTools::letsGo);
  }

  private static boolean letsGo(Waiting waiting) {
    return waiting.detachAfter() != null || !waiting.approve().equals(Approve.NEVER);
  }

  /** Answers a request that is for one of them. Returns whether it was. */
  boolean handle(String name, Talk talk, Session session) {
    if (outcome.isMeant(name)) {
      outcome.handle(talk, session);
      return true;
    }
    if (AwaitTool.NAME.equals(name)) {
      await.handle(talk, session);
      return true;
    }
    return false;
  }
}
