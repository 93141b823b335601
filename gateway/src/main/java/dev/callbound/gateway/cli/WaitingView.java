package dev.callbound.gateway.cli;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.TaskRecord;
import org.jspecify.annotations.Nullable;

/** That a call went on without its client, and how it waited for a person. */
final class WaitingView {
  private final Screen screen;
  private final Times times;

  WaitingView(Screen screen) {
    this.screen = screen;
    this.times = screen.times();
  }

  /** Fields about both, where there is something to say. */
  void fields(CallHistory history) {
    CallRecord call = history.call();
    approval(history.approval(), call);
    TaskRecord task = history.task();
    if (task == null) {
      return;
    }
    screen.field(
        "detached",
        times.beside(task.detachedAt(), call.startedAt())
            + "; its client can come back until "
            + times.whole(task.keptUntil()));
    if (task.cancelledAt() != null) {
      screen.field("", "taken back " + times.beside(task.cancelledAt(), call.startedAt()));
    }
  }

  private void approval(@Nullable ApprovalRecord approval, CallRecord call) {
    if (approval == null) {
      return;
    }
    Ruling ruling = approval.ruling();
    if (ruling != null) {
      screen.field(
          "approval",
          "%s %s by %s"
              .formatted(
                  ruling.kind().code(),
                  times.beside(ruling.at(), call.startedAt()),
                  Text.line(ruling.who())));
      if (ruling.note() != null) {
        screen.field("", "note: " + Text.line(ruling.note()));
      }
    } else if (call.ending() == null) {
      screen.field("approval", "waited for until " + times.whole(approval.until()));
      screen.field("will be sent", WaitingCommand.arguments(approval));
    } else {
      screen.field("approval", "nobody had ruled when it ended");
    }
  }
}
