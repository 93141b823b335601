package dev.callbound.gateway.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderTest {
  @TempDir Path folder;

  @Test
  void whyAProgramCantBeStartedIsSaid() throws Exception {
    Files.writeString(folder.resolve("plain"), "echo no");
    Files.createDirectory(folder.resolve("folder"));

    assertWhy("no-such-program", "no such program on the PATH: no-such-program");
    assertWhy("./missing", "no such program: ./missing");
    assertWhy("./folder", "it is a directory: ./folder");
    assertWhy("./plain", "it is not executable (chmod +x makes it so): ./plain");
  }

  private void assertWhy(String program, String why) {
    ProcessBuilder builder = new ProcessBuilder(program, "secret").directory(folder.toFile());
    assertThatThrownBy(() -> Leader.start(builder)).isInstanceOf(IOException.class).hasMessage(why);
  }
}
