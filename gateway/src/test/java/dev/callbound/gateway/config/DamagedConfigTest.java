package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in a file, it loads or it is refused with reasons; nothing else is ever thrown. */
class DamagedConfigTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", "."), "..", "examples").toAbsolutePath().normalize();
  private static final int DAMAGED_FILES = 300;
  private static final String MEANINGFUL = "\0\t\n \"#$%&'*,-:0<=>?@[\\]{|}~!\u00e9";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedYamlIsRefusedWithReasons(long seed) throws IOException {
    byte[] whole = Files.readAllBytes(EXAMPLES.resolve("callbound-full.yaml"));
    SplittableRandom random = new SplittableRandom(seed);
    Path file = folder.resolve("callbound.yaml");
    for (int i = 0; i < DAMAGED_FILES; i++) {
      Files.write(file, damaged(whole, random));
      var _ = loads(file, null);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedJsonIsRefusedWithReasons(long seed) throws IOException {
    byte[] whole = Files.readAllBytes(EXAMPLES.resolve("mcp.json"));
    SplittableRandom random = new SplittableRandom(seed);
    Path file = folder.resolve("mcp.json");
    for (int i = 0; i < DAMAGED_FILES; i++) {
      Files.write(file, damaged(whole, random));
      var _ = loads(null, file);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%YAML 9.9\n---\na: 1",
        "%FOO\n",
        "? [a, b]\n: c",
        "? {a: b}\n: c",
        "servers: !!binary aGVsbG8=",
        "servers: !!binary '%%'",
        "servers: !!set {a, b}",
        "servers: !!java.net.URL [x]",
        "&a [*a]",
        "a: &a {b: *a}",
        "servers: {a: {command: a, <<: {deadline: 1s}}}",
        "defaults: {attempts: 99999999999999999999}",
        "defaults: {attempts: 3.0}",
        "defaults: {attempts: .inf}",
        "servers: {a: {url: 'http://[fe80::1%25eth0]/'}}",
        "servers: {a: {url: 'http://[::ffff:169.254.169.254]/'}}",
        "\t\t",
        "servers: {'': {command: a}}",
        "~: ~",
        "\u0001",
        "servers: {a: {command: a, tools: {'': {}}}}",
      })
  void strangeYamlIsRefusedWithReasons(String yaml) throws IOException {
    Path file = folder.resolve("callbound.yaml");
    Files.writeString(file, yaml);

    assertThat(loads(file, null)).isFalse();
  }

  @Test
  void byteOrderMarkIsPassedOver() throws IOException {
    Path file = folder.resolve("callbound.yaml");
    Files.writeString(file, "\uFEFFservers: {a: {command: a}}");

    assertThat(loads(file, null)).isTrue();
  }

  private static byte[] damaged(byte[] whole, SplittableRandom random) {
    byte[] symbols = MEANINGFUL.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = whole.clone();
    int damages = random.nextInt(1, 6);
    for (int i = 0; i < damages; i++) {
      int at = random.nextInt(bytes.length);
      int end = Math.min(bytes.length, at + random.nextInt(1, 40));
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = symbols[random.nextInt(symbols.length)];
        case 1 -> Arrays.fill(bytes, at, end, (byte) ' ');
        case 2 -> System.arraycopy(bytes, random.nextInt(at + 1), bytes, at, end - at);
        default -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
      }
    }
    return bytes;
  }

  private static boolean loads(@Nullable Path yaml, @Nullable Path json) {
    try {
      new ConfigLoader(
              Map.of(
                  "HOME", "/home/a",
                  "GITHUB_TOKEN", "0123456789abcdef",
                  "CRM_TOKEN", "0123456789abcdef",
                  "CI_TOKEN", "0123456789abcdef"))
          .load(yaml, json);
      return true;
    } catch (ConfigException refused) {
      assertThat(refused.problems()).isNotEmpty();
      assertThat(refused.getMessage()).doesNotContain("0123456789abcdef");
      return false;
    }
  }
}
