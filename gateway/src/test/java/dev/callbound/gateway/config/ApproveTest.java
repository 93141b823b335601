package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
  void theNearestPlaceThatSaysAnythingCounts(@TempDir Path folder) {
    Config config =
        new ConfigFiles(folder)
            .yaml(
                "servers:",
                "  crm:",
                "    command: crm",
                "    approve: destructive, send",
                "    tools: {send: {approve: never}}")
            .load();
    ServerConfig server = Objects.requireNonNull(config.servers().get("crm"));

    assertThat(server.tool("send").waiting().approve()).isEqualTo(Approve.NEVER);
    assertThat(server.tool("drop").waiting().approve().isFor("drop", true)).isTrue();
  }
}
