package dev.callbound.gateway;

import dev.callbound.gateway.config.HeadersCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** A shell script that prints a header with a token, and leaves a line for each time it was run. */
public final class TokenCommand {
  /** What it does unless it is told otherwise. */
  private static final String PRINTS =
      "printf '{\"Authorization\": \"Bearer %s\"}' \"$(cat token)\"";

  private final Path folder;

  private TokenCommand(Path folder) {
    this.folder = folder;
  }

  /** A command in this folder that prints this token. */
  public static TokenCommand in(Path folder, String token) throws IOException {
    TokenCommand command = new TokenCommand(folder);
    command.does(PRINTS);
    return command.prints(token);
  }

  /** Sets the token that is printed from now on. */
  public TokenCommand prints(String token) throws IOException {
    put("token", token);
    return this;
  }

  /** Sets what it does from now on, in the language of the shell; it runs in its folder. */
  public TokenCommand does(String lines) throws IOException {
    put("headers.sh", "echo run >> runs\n" + lines + "\n");
    return this;
  }

  /** Has it print the token again, if that is not what it does. */
  public TokenCommand recovers() throws IOException {
    return does(PRINTS);
  }

  /** How often it was run. */
  public int runs() throws IOException {
    try {
      return Files.readAllLines(folder.resolve("runs")).size();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** It, as the configuration has it. */
  public HeadersCommand configured() {
    return new HeadersCommand("headers_command", List.of("/bin/sh", "headers.sh"), folder);
  }

  /** It, as the configuration writes it. */
  public static String entry() {
    return "headers_command: [/bin/sh, headers.sh]";
  }

  /** A shell reads its script while it runs it, so a file is replaced as a whole. */
  private void put(String name, String text) throws IOException {
    Path written = Files.writeString(Files.createTempFile(folder, name, ".new"), text);
    Files.move(written, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
