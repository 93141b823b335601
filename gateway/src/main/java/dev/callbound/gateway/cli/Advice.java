package dev.callbound.gateway.cli;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a person can do.
 *
 * @param text sentences
 * @param commands what to type, if anything
 * @param afterwards sentences that follow the commands; empty for none
 */
record Advice(String text, List<Command> commands, String afterwards) {
  /**
   * A command to type.
   *
   * @param when in which case, such as {@code if it did}
   */
  record Command(String line, String when) {}

  Advice {
    commands = List.copyOf(commands);
  }

  static Advice of(String text) {
    return new Advice(text, List.of(), "");
  }

  /** All of it in one line, for programs. */
  String line() {
    if (commands.isEmpty()) {
      return text;
    }
    return text
        + commands.stream()
            .map(command -> command.when() + ", " + command.line())
            .collect(Collectors.joining("; ", " ", "."))
        + (afterwards.isEmpty() ? "" : " " + afterwards);
  }

  void show(Screen screen) {
    screen.paragraph(text, "  ");
    int width = commands.stream().mapToInt(command -> command.when().length()).max().orElse(0);
    for (Command command : commands) {
      // Never wrapped, so that it can be copied.
      String gap = " ".repeat(width - command.when().length() + 3);
      screen.line("    " + command.when() + gap + screen.style().bold(command.line()));
    }
    if (!afterwards.isEmpty()) {
      screen.paragraph(afterwards, "  ");
    }
  }
}
