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
            .map(command -> command.line() + " " + command.when())
            .collect(Collectors.joining("; ", " ", "."))
        + (afterwards.isEmpty() ? "" : " " + afterwards);
  }

  void show(Screen screen) {
    screen.paragraph(text, "  ");
    int width = commands.stream().mapToInt(command -> command.line().length()).max().orElse(0);
    for (Command command : commands) {
      String gap = " ".repeat(width - command.line().length() + 3);
      screen.line("    " + screen.style().bold(command.line()) + gap + command.when());
    }
    if (!afterwards.isEmpty()) {
      screen.paragraph(afterwards, "  ");
    }
  }
}
