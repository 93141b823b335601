package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EffectSource;
import dev.callbound.policy.Effect;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server's hints about its own tools, true and false, and the operator's word about them. */
class EffectCasesTest {
  private static final String LIAR = "lying_read_only";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void ignoredAnnotationsMakeAToolAWrite(Way way) throws Exception {
    try (World world = World.of(folder, way, "annotations: ignored, deadline: 1s", "")) {
      assertTreatedAsWrite(world, EffectSource.DEFAULT);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theOperatorsWordMakesAToolAWriteAgainstItsHint(Way way) throws Exception {
    try (World world =
        World.of(folder, way, "deadline: 1s, tools: {" + LIAR + ": {effect: write}}", "")) {
      assertTreatedAsWrite(world, EffectSource.CONFIG);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aHintThatIsBelievedMakesAToolARead(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 1s", "")) {
      assertTreatedAsRead(world, LIAR, EffectSource.ANNOTATIONS);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theOperatorsWordMakesAToolAReadWhateverTheHint(Way way) throws Exception {
    String server =
        "deadline: 1s, annotations: ignored,"
            + " tools: {lying_read_only: {effect: read}, write_then_hang: {effect: read}}";
    try (World world = World.of(folder, way, server, "")) {
      assertTreatedAsRead(world, LIAR, EffectSource.CONFIG);
      assertTreatedAsRead(world, "write_then_hang", EffectSource.CONFIG);
    }
  }

  @Test
  void anIdempotentHintPermitsNoRepeat() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 5s", "")) {
      world
          .server()
          .control(
              "{\"faults\": [{\"match\": \"tools/call:upsert\", \"steps\":"
                  + " [{\"do\": \"effect\", \"once_per_marker\": true}, {\"do\": \"reset\"}]}]}");
      JsonNode answer = world.client().call("upsert", arguments("u"));

      assertThat(World.outcome(answer)).isEqualTo("unknown/connection_lost");
      assertThat(world.server().ledger().effectsMarked("u")).hasSize(1);
      assertThat(world.server().ledger().callsMarked("u")).hasSize(1);
      CallRecord call = world.recorded("upsert");
      assertThat(call.effect()).isEqualTo(Effect.WRITE);
      assertThat(call.effectFrom()).isEqualTo(EffectSource.ANNOTATIONS);
    }
  }

  @Test
  void aNameThatPlainlyWritesBeatsAReadOnlyHint() throws Exception {
    try (NamedTools tools = NamedTools.named("delete_item", "deleteItem", "get_post");
        World world =
            World.configured(folder, "servers: {one: {" + tools.entry() + "}}", List.of())) {
      for (String tool : List.of("delete_item", "deleteItem", "get_post")) {
        assertThat(World.outcome(world.client().call(tool, "{}"))).isEqualTo("ok");
      }

      assertThat(world.recorded("delete_item").effectFrom()).isEqualTo(EffectSource.NAME);
      assertThat(world.recorded("deleteItem").effect()).isEqualTo(Effect.WRITE);
      assertThat(world.recorded("get_post").effect()).isEqualTo(Effect.READ);
    }
  }

  private static void assertTreatedAsWrite(World world, EffectSource source) throws Exception {
    JsonNode answer = world.client().call(LIAR, arguments("m"));

    assertThat(World.outcome(answer)).isEqualTo("unknown/timed_out");
    assertThat(world.server().ledger().effectsMarked("m")).hasSize(1);
    assertThat(world.server().ledger().callsMarked("m")).hasSize(1);
    CallRecord call = world.recorded(LIAR);
    assertThat(call.effect()).isEqualTo(Effect.WRITE);
    assertThat(call.effectFrom()).isEqualTo(source);
    assertThat(world.attempts(call)).hasSize(1);
  }

  /** It is tried again, and what that does is the fault of whoever said that it reads. */
  private static void assertTreatedAsRead(World world, String tool, EffectSource source)
      throws Exception {
    JsonNode answer = world.client().call(tool, arguments(tool));

    assertThat(World.outcome(answer)).isEqualTo("ok");
    assertThat(world.server().ledger().callsMarked(tool)).hasSize(2);
    CallRecord call = world.recorded(tool);
    assertThat(call.effect()).isEqualTo(Effect.READ);
    assertThat(call.effectFrom()).isEqualTo(source);
    assertThat(world.attempts(call)).hasSize(2);
  }
}
