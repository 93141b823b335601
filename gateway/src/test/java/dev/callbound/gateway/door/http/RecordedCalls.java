package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.CallsPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Calls that exist only in what was asked of them. */
final class RecordedCalls implements CallsPort {
  static final Call CALL =
      new Call(
          "c1",
          "r1",
          "send",
          "mail",
          "send_mail",
          "write",
          "5a1f0c9e-3f1b-8a52-9d0e-7c3b1c7e2f10",
          "unknown",
          "timed_out",
          "no answer within 60000 ms",
          1,
          Instant.parse("2026-12-01T00:00:00Z"),
          Instant.parse("2026-12-01T00:01:00Z"),
          null,
          null,
          null,
          null);

  final List<String> asked = new CopyOnWriteArrayList<>();

  @Override
  public Optional<Call> find(String principal, String id) {
    return id.equals(CALL.id()) ? Optional.of(CALL) : Optional.empty();
  }

  @Override
  public Optional<Settling> settle(
      String principal, String id, @Nullable Boolean landed, @Nullable String note) {
    asked.add(principal + " " + id + " " + landed + " " + note);
    return find(principal, id)
        .map(
            call ->
                "settled".equals(note)
                    ? new Settling.Refused("not_unknown", "the call is not unknown")
                    : new Settling.Done(call));
  }

  @Override
  public Optional<Settling> rule(
      String principal, String id, boolean approved, @Nullable String note) {
    asked.add(principal + " " + id + (approved ? " approved " : " denied ") + note);
    return find(principal, id).map(Settling.Done::new);
  }
}
