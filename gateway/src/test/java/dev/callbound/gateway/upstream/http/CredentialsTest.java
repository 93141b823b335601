package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was refused for its credentials is sent once more with those that are fetched anew. */
@Timeout(60)
class CredentialsTest extends CredentialsFixture {
  @Test
  void headersAreFetchedOnceAndGoOverTheConfiguredOnes() throws Exception {
    Faults.ok(call("read"));
    Faults.ok(call("read"));

    assertThat(command.runs()).isEqualTo(1);
    assertThat(http.seen).allSatisfy(seen -> assertThat(token(seen)).isEqualTo(FIRST));
    assertThat(http.seen).allSatisfy(seen -> assertThat(seen.header("X-Team")).isEqualTo("blue"));
  }

  @Test
  void aRequestThatIsRefusedIsSentOnceMoreWithRenewedHeaders() throws Exception {
    Faults.ok(call("read"));
    rotate();
    RecordingExchange exchange = new RecordingExchange();

    Faults.ok(call("write", exchange));

    assertThat(exchange.events()).containsExactly("sent", "not taken", "sent");
    assertThat(exchange.notes).containsExactly("credentials renewed");
    assertThat(command.runs()).isEqualTo(2);
    assertThat(tokensOf("write")).containsExactly(FIRST, SECOND);
  }

  @Test
  void whoeverIsRefusedLaterTakesWhatHasBeenRenewed() throws Exception {
    Faults.ok(call("read"));
    FutureTask<Reply<Json>> slow = begin("slow");
    assertThat(Eventually.holds(() -> tokensOf("slow").size() == 1)).isTrue();
    rotate();
    Faults.ok(call("read"));
    assertThat(command.runs()).isEqualTo(2);

    go.countDown();

    Faults.ok(slow.get());
    assertThat(tokensOf("slow")).containsExactly(FIRST, SECOND);
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void aStreamThatIsRefusedIsOpenedWithRenewedHeaders() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    server.listen((_, notification) -> heard.add(notification.method()));
    Faults.ok(call("read"));
    assertThat(Eventually.holds(() -> streams().equals(List.of(FIRST)))).isTrue();
    rotate();

    go.countDown();

    assertThat(Eventually.holds(() -> !heard.isEmpty())).isTrue();
    assertThat(heard).containsExactly("notifications/tools/list_changed");
    assertThat(streams()).containsExactly(FIRST, SECOND);
    assertThat(command.runs()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStreamThatIsRefusedIsAskedForAgainWhereHeadersCanBeRenewed(boolean renewable)
      throws Exception {
    go.countDown();
    wanted = SECOND;
    Terms terms =
        new Terms(
            new Introduction(
                Revision.V2025_11_25, JsonObject.EMPTY.toJson(), JsonObject.EMPTY, null),
            null);
    try (Credentials credentials =
            Objects.requireNonNull(Credentials.of(transport(), "crm", secrets));
        Sender sender = new Sender(transport(), renewable ? credentials : null, 10)) {
      OneWay oneWay = new OneWay(sender);
      AnswerReader reader =
          new AnswerReader(
              Set.of(), new Redaction(secrets), InstantSource.system(), new StreamReader(sender));
      try (Listening listening =
          new Listening(
              sender, oneWay, new Requests(sender, oneWay, reader), Duration.ofMillis(20))) {
        List<String> heard = new CopyOnWriteArrayList<>();
        listening.listener(notification -> heard.add(notification.method()));
        listening.begin(terms);
        assertThat(Eventually.holds(() -> !streams().isEmpty())).isTrue();
        if (renewable) {
          assertThat(Eventually.holds(() -> streams().size() >= 3)).isTrue();
          command.prints(SECOND);
          assertThat(Eventually.holds(() -> !heard.isEmpty())).isTrue();
        } else {
          assertThat(Eventually.holds(Duration.ofMillis(500), () -> streams().size() > 1))
              .isFalse();
        }
      }
    }
  }

  @Test
  void whatIsRefusedAfterItsTimeIsNotSentAgain() throws Exception {
    Faults.ok(call("read"));
    RecordingExchange exchange = new RecordingExchange();
    FutureTask<Reply<Json>> late = begin("slow", exchange);
    assertThat(Eventually.holds(() -> tokensOf("slow").size() == 1)).isTrue();
    rotate();
    exchange.over();

    go.countDown();

    assertThat(Faults.failure(late.get()))
        .isInstanceOfSatisfying(
            Failure.NotSent.class, failure -> assertThat(failure.detail()).contains("time"));
    assertThat(exchange.events()).containsExactly("sent", "not taken");
    assertThat(tokensOf("slow")).hasSize(1);
  }

  @Test
  void aSecond401IsFinal() throws Exception {
    Faults.ok(call("read"));
    wanted = "something else";
    command.prints(SECOND);

    assertThat(refused(call("write"))).contains("401", "just fetched by headers_command");
    assertThat(tokensOf("write")).containsExactly(FIRST, SECOND);
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void theSameHeadersAreNotSentAgain() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    RecordingExchange exchange = new RecordingExchange();

    assertThat(refused(call("write", exchange)))
        .contains("401: no", "headers_command printed the same headers as before");
    assertThat(exchange.events()).containsExactly("sent", "not taken");
    assertThat(exchange.notes).isEmpty();
    assertThat(tokensOf("write")).hasSize(1);
  }

  @Test
  void oneThatFailsIsNamedAndNotRunForEachWhoIsRefused() throws Exception {
    Faults.ok(call("read"));
    List<FutureTask<Reply<Json>>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(begin("slow"));
    }
    assertThat(Eventually.holds(() -> tokensOf("slow").size() == 10)).isTrue();
    wanted = SECOND;
    command.does("echo 'log in first' >&2; exit 7");

    go.countDown();

    for (FutureTask<Reply<Json>> call : calls) {
      assertThat(refused(call.get()))
          .contains("headers_command ended with exit code 7; the log has");
    }
    assertThat(refused(call("write"))).contains("exit code 7");
    assertThat(command.runs()).isEqualTo(2);
    assertThat(tokensOf("slow")).hasSize(10);
  }

  @Test
  void aServerThatTakesThemAgainIsNotAskedForOthers() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    command.does("exit 1");
    refused(call("read"));

    wanted = FIRST;

    Faults.ok(call("read"));
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void headersThatWereRefusedAWhileAgoAreFetchedAnew() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    refused(call("read"));
    refused(call("read"));
    assertThat(command.runs()).isEqualTo(2);
    command.prints(SECOND);

    assertThat(Eventually.holds(() -> call("read") instanceof Reply.Answered<Json>)).isTrue();
    assertThat(command.runs()).isEqualTo(3);
  }

  @Test
  void oneThatFailsBeforeAnythingWasFetchedIsNotRunForEachRequest() throws Exception {
    command.does("exit 3");
    for (int i = 0; i < 10; i++) {
      assertThat(Faults.failure(call("read")).detail()).contains("exit code 3");
    }
    assertThat(command.runs()).isEqualTo(1);

    command.recovers();

    assertThat(Eventually.holds(() -> call("read") instanceof Reply.Answered<Json>)).isTrue();
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void onlyASuccessSaysThatTheHeadersAreRight() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;
    refused(call("read"));
    // A server that fails has not said anything about them.
    assertThat(Faults.failure(call("failing")).detail()).contains("500");

    refused(call("read"));

    assertThat(command.runs()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Revision.class,
      names = {"V2025_11_25", "V2026_07_28"})
  void aSlowCommandDoesNotCountAgainstAHandshake(Revision revision) throws Exception {
    boolean sessions = revision.hasSessions();
    command.does(
        "[ -e again ] && sleep 1; : > again;"
            + " printf '{\"Authorization\": \"Bearer %s\"}' \"$(cat token)\"");
    try (StreamableHttpServer other = server(Protocol.AUTO, Duration.ofMillis(500))) {
      Revision before = sessions ? Revision.V2026_07_28 : Revision.V2025_11_25;
      Faults.ok(Faults.call(other, "read", "{}", new RecordingExchange(before)));
      rotate();

      Faults.ok(Faults.call(other, "read", "{}", new RecordingExchange(revision)));
    }
    String first = sessions ? "server/discover" : "initialize";
    String then = sessions ? "initialize" : "server/discover";
    assertThat(http.methods())
        .filteredOn(List.of(first, then)::contains)
        .containsExactly(first, then, then);
    assertThat(command.runs()).isEqualTo(2);
  }

  @Test
  void whatTheServerQuotesOfThemIsTakenOut() throws Exception {
    Faults.ok(call("read"));
    wanted = SECOND;

    assertThat(refused(call("read"))).contains("no ***").doesNotContain(FIRST);
    rotate();
    assertThat(Eventually.holds(() -> call("read") instanceof Reply.Answered<Json>)).isTrue();
    assertThat(secrets.redact(FIRST + ", Bearer " + FIRST + ", " + SECOND))
        .isEqualTo("***, ***, ***");
  }

  @Test
  void aWaitForTheCommandEndsWithTheCallAndTheCommandWithTheServer() throws Exception {
    command.does("trap '' TERM; echo $$ > pid.new; mv pid.new pid; while :; do sleep 1; done");
    FutureTask<Reply<Json>> task = new FutureTask<>(() -> call("read"));
    Thread caller = Thread.ofVirtual().start(task);
    assertThat(Eventually.holds(() -> Files.exists(folder.resolve("pid")))).isTrue();
    long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());

    caller.interrupt();

    assertThat(caller.join(Duration.ofSeconds(2))).isTrue();
    assertThat(Faults.failure(task.get())).isInstanceOf(Failure.NotSent.class);
    // It goes on for others, who may be waiting for it.
    assertThat(ProcessHandle.of(pid)).isPresent();

    server.close();

    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(command.runs()).isEqualTo(1);
  }
}
