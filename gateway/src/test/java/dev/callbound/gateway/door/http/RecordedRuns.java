package dev.callbound.gateway.door.http;

import dev.callbound.gateway.door.RunsPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Runs that exist only in what was asked of them. */
final class RecordedRuns implements RunsPort {
  static final Run RUN =
      new Run(
          "r1",
          "nightly",
          State.RUNNING,
          Instant.parse("2026-12-01T00:00:00Z"),
          Instant.parse("2026-12-01T02:00:00Z"),
          50,
          3,
          "0.50",
          "0.12",
          12,
          null,
          null,
          List.of());

  final List<Wish> wishes = new CopyOnWriteArrayList<>();
  final List<Event> events = new CopyOnWriteArrayList<>();
  volatile boolean last;
  final List<String> asked = new CopyOnWriteArrayList<>();

  @Override
  public Opened open(Wish wish) {
    wishes.add(wish);
    if ("used".equals(wish.key())) {
      return new Opened.KeyReused("this key stands for another request");
    }
    return switch (String.valueOf(wish.name())) {
      case "taken" -> new Opened.Refused("name_taken", "a run called taken is running");
      case "there" -> new Opened.Found(RUN);
      default -> new Opened.Running(RUN);
    };
  }

  @Override
  public Optional<Events> events(String principal, String id, long after, int most) {
    asked.add(principal + " " + id + " after " + after);
    return find(principal, id)
        .map(
            _ ->
                new Events(
                    events.stream().filter(event -> event.number() > after).limit(most).toList(),
                    last));
  }

  @Override
  public Optional<Run> find(String principal, String id) {
    return id.equals(RUN.id()) ? Optional.of(RUN) : Optional.empty();
  }

  @Override
  public List<Run> list(String principal, int limit, @Nullable State state) {
    asked.add(principal + " " + limit + " " + state);
    return List.of(RUN);
  }

  @Override
  public Optional<Run> finish(String principal, String id, @Nullable String reason) {
    asked.add("finish " + id + " " + reason);
    return find(principal, id);
  }

  @Override
  public Optional<Run> cancel(String principal, String id, @Nullable String reason) {
    asked.add(principal + " " + id + " " + reason);
    return find(principal, id);
  }
}
