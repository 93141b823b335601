package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What {@code callbound approve} and {@code callbound deny} take, and do. */
final class RulingOptions {
  private static final int LONGEST_NOTE = 1_000;

  @Parameters(
      index = "0",
      paramLabel = "CALL",
      description = "Its id, or as much of its beginning as tells it from others.")
  private String id = "";

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Why, for whoever reads the record; 1000 characters at most.")
  private @Nullable String note;

  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  /** For picocli. */
  RulingOptions() {}

  /** Gives the ruling, and says what came of it. */
  int rule(@Nullable CommandSpec spec, Ruling.Kind kind) {
    if (note != null && note.length() > LONGEST_NOTE) {
      throw new ParameterException(
          Program.of(spec),
          "--note takes %d characters at most: %d".formatted(LONGEST_NOTE, note.length()));
    }
    List<Path> files = journal.files();
    try (JournalReader reader = JournalOptions.open(files)) {
      CallRecord call = callNamed(reader);
      Ruling ruling =
          new Ruling(
              kind,
              Instant.now(),
              System.getProperty("user.name"),
              note == null || note.isBlank() ? null : note.strip());
      Ruling.Result result =
          SqliteJournal.ruleBeside(JournalOptions.fileOf(call.id(), files), call.id(), ruling);
      switch (result) {
        case RULED, ALREADY -> tell(spec, reader, call, kind, result);
        case CONTRADICTED, TOO_LATE, OVER, NOT_ASKED, NO_SUCH_CALL ->
            throw new CommandFailedException(complaint(reader, call, result));
      }
    }
    return ExitCode.OK;
  }

  private CallRecord callNamed(JournalReader reader) {
    if (id.strip().toLowerCase(Locale.ROOT).startsWith(Ids.RUN)) {
      throw new CommandFailedException(
          id + " is a run, and what waits is a call: callbound waiting lists those that do");
    }
    String whole = TypedId.whole(reader, id);
    return reader.call(whole).orElseThrow(() -> new CommandFailedException("there is no " + whole));
  }

  private static String complaint(JournalReader reader, CallRecord call, Ruling.Result result) {
    ApprovalRecord asked = reader.tasks().approval(call.id()).orElse(null);
    Ruling before = asked == null ? null : asked.ruling();
    if (result == Ruling.Result.TOO_LATE && asked != null) {
      return "%s waited until %s, and nobody ruled on it. It is not made any more"
          .formatted(call.id(), Times.local().whole(asked.until()));
    }
    if (result == Ruling.Result.CONTRADICTED && before != null) {
      return "%s was %s at %s, by %s. That stands"
          .formatted(
              call.id(),
              before.kind().code(),
              Times.local().whole(before.at()),
              Text.line(before.who()));
    }
    return result == Ruling.Result.OVER
        ? call.id() + " ended before anybody ruled on it; callbound show says how"
        : call.id() + " does not wait for anybody; callbound waiting lists the calls that do";
  }

  private void tell(
      @Nullable CommandSpec spec,
      JournalReader reader,
      CallRecord call,
      Ruling.Kind kind,
      Ruling.Result result) {
    output.print(
        Program.of(spec),
        () -> {
          ObjectNode json = RecordJson.call(call);
          reader
              .tasks()
              .approval(call.id())
              .ifPresent(approval -> json.set("approval", RecordJson.approval(approval)));
          json.put("ruling", result.name().toLowerCase(Locale.ROOT));
          return json;
        },
        screen ->
            screen.paragraph(
                "%s on %s is %s%s: %s. %s"
                    .formatted(
                        Text.line(call.tool()),
                        Text.line(call.server()),
                        result == Ruling.Result.ALREADY ? "already " : "",
                        kind.code(),
                        call.id(),
                        kind == Ruling.Kind.APPROVED
                            ? "A gateway that is running makes it within a second; else the next"
                                + " that starts does."
                            : "It is not made, and its client is told so."),
                ""));
  }
}
