package dev.callbound.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class IntentTest {
  private static final Intent CREATE =
      new Intent("alice", "run-1", null, "github", "create_issue", "{\"title\":\"a\"}");

  /** Computed with another implementation: Python's hashlib, struct and uuid. */
  static Stream<Arguments> vectors() {
    return Stream.of(
        Arguments.of(CREATE, "1945e104-997f-8144-a228-7f044f0535c6"),
        Arguments.of(step(""), "694bfacc-4802-8633-820b-2f0d33106846"),
        Arguments.of(step("report"), "7577abd0-4542-894c-835e-7be57aca3a72"),
        Arguments.of(
            new Intent("Zoë", "r", "Schritt €", "s", "t", "{\"emoji\":\"😀\"}"),
            "acdc7a4f-d721-8e06-a056-9dda03529483"),
        Arguments.of(
            new Intent("p", "r", null, "s", "t", "\"\ud800\""),
            "a2242b20-ecef-8f90-ae5c-8038007794af"));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void theKeyIsTheSameForAllTime(Intent intent, String key) {
    assertThat(intent.key()).isEqualTo(key);
  }

  /** RFC 9562, 5.8: the version is 8, the variant is 10 in binary. */
  @Test
  void theKeyIsAUuidOfVersion8() {
    for (int i = 0; i < 1_000; i++) {
      String key = step("step " + i).key();
      assertThat(key).hasSize(36).isEqualTo(UUID.fromString(key).toString());
      assertThat(UUID.fromString(key).version()).isEqualTo(8);
      assertThat(UUID.fromString(key).variant()).isEqualTo(2);
    }
  }

  @Test
  void everyFieldIsInTheKey() {
    Intent it = new Intent("p", "r", "step", "s", "t", "x");
    assertThat(
            Stream.of(
                    it,
                    new Intent("P", "r", "step", "s", "t", "x"),
                    new Intent("p", "R", "step", "s", "t", "x"),
                    new Intent("p", "r", "Step", "s", "t", "x"),
                    new Intent("p", "r", null, "s", "t", "x"),
                    new Intent("p", "r", "", "s", "t", "x"),
                    new Intent("p", "r", "step", "S", "t", "x"),
                    new Intent("p", "r", "step", "s", "T", "x"),
                    new Intent("p", "r", "step", "s", "t", "X"))
                .map(Intent::key))
        .doesNotHaveDuplicates();
  }

  @Test
  void charactersDoNotMoveFromFieldToField() {
    assertThat(
            Stream.of(
                    new Intent("ab", "c", null, "", "", ""),
                    new Intent("a", "bc", null, "", "", ""),
                    new Intent("", "abc", null, "", "", ""),
                    new Intent("abc", "", null, "", "", ""),
                    new Intent("", "", "abc", "", "", ""),
                    new Intent("", "", null, "abc", "", ""),
                    new Intent("", "", null, "", "abc", ""),
                    new Intent("", "", null, "", "", "abc"),
                    new Intent("", "", null, "", "", "\0\0\0\0abc"))
                .map(Intent::key))
        .doesNotHaveDuplicates();
  }

  /** The JDK's encoder would make a question mark of each. */
  @Test
  void halvesOfSurrogatePairsAreToldApart() {
    assertThat(Stream.of("\ud800", "\ud801", "\udc00", "?", "\ud800\udc00").map(this::key))
        .doesNotHaveDuplicates();
  }

  @Test
  void aLongTargetHasAKeyLikeAnyOther() {
    assertThat(key("é".repeat(1_000_000))).isNotEqualTo(key("é".repeat(1_000_001)));
  }

  private String key(String target) {
    return new Intent("p", "r", null, "s", "t", target).key();
  }

  private static Intent step(@Nullable String step) {
    return new Intent("alice", "run-1", step, "github", "create_issue", "{\"title\":\"a\"}");
  }
}
