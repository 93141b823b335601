package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Annotations;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.EffectSource;
import dev.callbound.policy.Effect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EffectsTest {
  private static final Json READ_ONLY = tool("{\"readOnlyHint\": true}");

  @Test
  void theOperatorsWordBeatsEverything() {
    assertThat(Effects.withoutProfile("delete_all", Effect.READ, Annotations.IGNORED, null))
        .isEqualTo(new Effects.Decided(Effect.READ, EffectSource.CONFIG));
    assertThat(Effects.withoutProfile("get_page", Effect.WRITE, Annotations.BELIEVED, READ_ONLY))
        .isEqualTo(new Effects.Decided(Effect.WRITE, EffectSource.CONFIG));
  }

  @Test
  void aReadOnlyHintIsBelievedUnlessIgnored() {
    assertThat(Effects.withoutProfile("get_page", null, Annotations.BELIEVED, READ_ONLY))
        .isEqualTo(new Effects.Decided(Effect.READ, EffectSource.ANNOTATIONS));
    assertThat(Effects.withoutProfile("get_page", null, Annotations.IGNORED, READ_ONLY))
        .isEqualTo(new Effects.Decided(Effect.WRITE, EffectSource.DEFAULT));
  }

  @Test
  void whatNobodySpeaksAboutWrites() {
    assertThat(Effects.withoutProfile("get_page", null, Annotations.BELIEVED, null))
        .isEqualTo(new Effects.Decided(Effect.WRITE, EffectSource.DEFAULT));
    assertThat(Effects.withoutProfile("get_page", null, Annotations.BELIEVED, tool("{}")))
        .isEqualTo(new Effects.Decided(Effect.WRITE, EffectSource.DEFAULT));
    assertThat(
            Effects.withoutProfile(
                "get_page", null, Annotations.BELIEVED, Json.of("{\"name\": \"x\"}")))
        .isEqualTo(new Effects.Decided(Effect.WRITE, EffectSource.DEFAULT));
  }

  @Test
  void noOtherHintMakesARead() {
    String hints =
        "{\"readOnlyHint\": false, \"idempotentHint\": true, \"destructiveHint\": false}";
    assertThat(Effects.withoutProfile("x", null, Annotations.BELIEVED, tool(hints)).effect())
        .isEqualTo(Effect.WRITE);
    assertThat(
            Effects.withoutProfile(
                    "x", null, Annotations.BELIEVED, tool("{\"readOnlyHint\": \"true\"}"))
                .effect())
        .isEqualTo(Effect.WRITE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create_issue",
        "createIssue",
        "issue-create",
        "Send.Mail",
        "files_write",
        "post_message",
        "UPDATE_ROW",
        "gitPush",
        "bulk_delete",
        "upsertRow",
        "set_status"
      })
  void aNameThatPlainlyWritesIsNotBelievedToRead(String name) {
    assertThat(Effects.withoutProfile(name, null, Annotations.BELIEVED, READ_ONLY))
        .isEqualTo(new Effects.Decided(Effect.WRITE, EffectSource.NAME));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get_post",
        "listPosts",
        "search_commit",
        "read_file",
        "postal_code",
        "address",
        "settings",
        "dataset",
        "get-put-options",
        "posting",
        "sender",
        "q",
        "42"
      })
  void aNameThatOnlyContainsAVerbReads(String name) {
    assertThat(Effects.withoutProfile(name, null, Annotations.BELIEVED, READ_ONLY))
        .isEqualTo(new Effects.Decided(Effect.READ, EffectSource.ANNOTATIONS));
  }

  private static Json tool(String annotations) {
    return Json.of("{\"name\": \"x\", \"annotations\": " + annotations + "}");
  }
}
