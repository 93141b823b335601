package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.Writes.Write;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.client.WireException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A client whose run outlives the gateway: when that has died under it, it comes back and repeats
 * the write that it had no answer to, as a program does that resumes its work.
 *
 * <p>Belongs to one thread at a time.
 */
final class ReturningClient {
  /** The writes of one life of the gateway: more than there is time for. */
  private static final int MOST_WRITES = 400;

  /** How often a write that was stopped, or stays unknown, is asked for again at the end. */
  private static final int MOST_REPEATS = 10;

  private final String run;
  private final Writes writes;
  private final SplittableRandom random;
  private final List<Told> told = new ArrayList<>();
  private @Nullable Write unanswered;

  /** What it was told about a write, and when. */
  record Told(Write write, Instant at, String outcome, String text) {
    boolean ok() {
      return outcome.equals("ok");
    }

    boolean unknown() {
      return outcome.startsWith("unknown");
    }
  }

  ReturningClient(String run, Writes writes, SplittableRandom random) {
    this.run = run;
    this.writes = writes;
    this.random = random;
  }

  /** All that it was told, in order. */
  List<Told> told() {
    return List.copyOf(told);
  }

  /** Writes one thing after the other until the gateway dies. */
  void live(KillableGateway gateway, CountDownLatch answered) throws InterruptedException {
    try {
      McpClient client = gateway.client(revision());
      // Some never come back; what they left must end all the same.
      if (unanswered != null && random.nextInt(4) != 0) {
        ask(client, unanswered);
      }
      if (!told.isEmpty()) {
        askAgain(client, told.get(random.nextInt(told.size())));
      }
      for (int i = 0; i < MOST_WRITES; i++) {
        ask(client, writes.next(run, random));
        answered.countDown();
      }
    } catch (WireException e) {
      assertThat(gateway.killed()).as("it lives, and yet: %s", e.getMessage()).isTrue();
    }
  }

  /** Asks for what has not been done yet, as far as it knows, where asking again is safe. */
  void finish(KillableGateway gateway) throws InterruptedException {
    McpClient client = gateway.client(revision());
    if (unanswered != null) {
      ask(client, unanswered);
    }
    for (Told last : lastTold().values()) {
      Told now = last;
      for (int i = 0; i < MOST_REPEATS && !now.ok() && now.write().recognised(); i++) {
        ask(client, now.write());
        now = told.getLast();
      }
    }
  }

  /** The last that it was told about each write, by its marker. */
  Map<String, Told> lastTold() {
    Map<String, Told> last = new LinkedHashMap<>();
    told.forEach(each -> last.put(each.write().marker(), each));
    return last;
  }

  private Revision revision() {
    return random.nextBoolean() ? Revision.V2025_11_25 : Revision.V2026_07_28;
  }

  private void askAgain(McpClient client, Told earlier) throws InterruptedException {
    if (earlier.write().repeatable()) {
      ask(client, earlier.write());
    }
  }

  private void ask(McpClient client, Write write) throws InterruptedException {
    unanswered = write.repeatable() ? write : null;
    JsonNode answer = client.call(write.request());
    unanswered = null;
    told.add(new Told(write, Instant.now(), World.outcome(answer), World.text(answer)));
  }
}
