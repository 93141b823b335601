package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApproveTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "never | delete_all | true | false",
        "required | read | false | true",
        "destructive | anything | true | true",
        "destructive | anything | false | false",
        "delete_* | delete_all | false | true",
        "delete_* | undelete_all | true | false",
        "*_all | delete_all | false | true",
        "a.c | abc | false | false",
        "destructive, send | send | false | true",
      })
  void aRuleIsForTheToolsThatItNames(String rule, String tool, boolean mayDestroy, boolean asks)
      throws FormatException {
    assertThat(Approve.parse(rule).isFor(tool, mayDestroy)).isEqualTo(asks);
  }

  @ParameterizedTest
  @ValueSource(strings = {"never", "required", "destructive", "destructive, delete_*, send"})
  void aRuleIsShownAsItWasWritten(String rule) throws FormatException {
    assertThat(Approve.parse(rule)).hasToString(rule);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "never, send", "send,", "destructive never,,"})
  void whatMakesNoSenseIsRefused(String rule) {
    assertThatThrownBy(() -> Approve.parse(rule)).isInstanceOf(FormatException.class);
  }

  @Test
  void theNearestPlaceThatSaysAnythingCounts() {
    CallLayer defaults = CallLayer.silent(Origin.DEFAULTS);
    CallLayer server = waiting(Origin.SERVER, new Approve(true, List.of("send")));
    CallLayer tool = waiting(Origin.TOOL, Approve.NEVER);

    ToolBounds bounds =
        new ToolBounds(defaults, server, Map.of("send", tool), Keys.Run.DEADLINE.required());
    assertThat(bounds.of("send").waiting().approve()).isEqualTo(Approve.NEVER);
    assertThat(bounds.of("drop").waiting().approve().isFor("drop", true)).isTrue();
  }

  private static CallLayer waiting(Origin origin, Approve approve) {
    CallLayer silent = CallLayer.silent(origin);
    return new CallLayer(
        origin,
        silent.effect(),
        silent.deadline(),
        silent.callDeadline(),
        silent.attempts(),
        silent.stall(),
        silent.record(),
        silent.mask(),
        silent.lateWindow(),
        silent.settleFor(),
        new WaitingLayer(null, approve, null),
        silent.target(),
        silent.repeats(),
        silent.recognise());
  }
}
