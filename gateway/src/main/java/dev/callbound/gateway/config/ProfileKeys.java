package dev.callbound.gateway.config;

import dev.callbound.policy.Effect;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.Pattern;

/** Every key of a profile's file. What it says of a tool is said as in the config. */
final class ProfileKeys {
  /** {@code servers[]} of a profile. */
  static final class Server {
    static final Key.Value<String> NAME =
        Key.Value.open(
            "name", Formats.NAME, "required", "The server's own name, `serverInfo.name`, exactly.");
    static final Key.Value<Pattern> VERSION =
        Key.Value.open(
            "version",
            ProfileFormats.PATTERN,
            "any",
            "What the whole of `serverInfo.version` must match.");

    static final Section SECTION = new Section("profile: servers[]", List.of(NAME, VERSION));

    private Server() {}
  }

  /** {@code statuses[]} of a profile. */
  static final class Status {
    static final Key.Value<Pattern> TEXT =
        Key.Value.open(
            "text",
            ProfileFormats.PATTERN,
            "required",
            "What is found in the text of a tool's error.");
    static final Key.Value<Integer> STATUS =
        Key.Value.open(
            "status",
            Formats.count(400, 599),
            "the number in the first group of `text`",
            "The HTTP status that it stands for.");

    static final Section SECTION = new Section("profile: statuses[]", List.of(TEXT, STATUS));

    private Status() {}
  }

  /** {@code tools.TOOL} of a profile. */
  static final class Tool {
    static final CallKeys CALL = CallKeys.inherited("profile: tools.TOOL", "that of `defaults`");

    static final Key.Value<Effect> EFFECT =
        Key.Value.open(
            "effect",
            Formats.choice(Effect.class),
            "required",
            "What the tool does to the world. `write` unless it is plain that it only reads.");

    static final Section SECTION =
        new Section(
            "profile: tools.TOOL",
            List.of(
                EFFECT,
                Keys.Tool.TARGET,
                Keys.Tool.REPEATS,
                Keys.Tool.RECOGNISE,
                CALL.deadline(),
                CALL.callDeadline()));

    private Tool() {}
  }

  static final Key.Value<String> SOURCE =
      Key.Value.open("source", Formats.NAME, "required", "Where the server's tools are published.");
  static final Key.Value<String> VERSION =
      Key.Value.open(
          "version",
          Formats.NAME,
          "required",
          "The version of the server that the profile was checked against.");
  static final Key.Value<LocalDate> CHECKED =
      Key.Value.open("checked", ProfileFormats.DATE, "required", "When that was.");
  static final Key.Entries SERVERS =
      new Key.Entries(
          "servers",
          Server.SECTION,
          "The servers that it is for, as they introduce themselves. Counts for shipped profiles.");
  static final Key.Entries STATUSES =
      new Key.Entries(
          "statuses",
          Status.SECTION,
          "How the texts of its tools' errors wrap the status of the provider behind them. The"
              + " first that is found counts.");
  static final Key.Parts TOOLS =
      new Key.Parts("tools", Tool.SECTION, "The tools, by the server's names.");

  static final Section SECTION =
      new Section("profile: the file", List.of(SOURCE, VERSION, CHECKED, SERVERS, STATUSES, TOOLS));

  private ProfileKeys() {}
}
