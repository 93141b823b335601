package dev.callbound.gateway.cli;

import dev.callbound.gateway.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program as a process of its own, with the folder as its home and its working directory. */
final class ProgramProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Path err;

  private ProgramProcess(Process process, Path err) {
    this.process = process;
    this.out = process.inputReader();
    this.err = err;
  }

  static ProgramProcess start(Path folder, String... arguments) throws IOException {
    Path err = Files.createTempFile(folder, "stderr", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command(arguments)).directory(folder.toFile());
    builder.environment().put("HOME", folder.toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
    return new ProgramProcess(builder.redirectError(err.toFile()).start(), err);
  }

  static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Short-lived: what is spent on compiling well is never earned back.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  Process process() {
    return process;
  }

  /** The next line on stdout; empty at its end. */
  String line() throws IOException {
    String line = out.readLine();
    return line == null ? "" : line;
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  /** Waits for the end, a minute at most. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      throw new AssertionError("the program did not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
