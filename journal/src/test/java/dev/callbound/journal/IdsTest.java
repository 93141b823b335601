package dev.callbound.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IdsTest {
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

  @Test
  void anIdIsAPrefixAndAUlidInLowerCase() {
    Ids ids = new Ids(InstantSource.fixed(Instant.ofEpochMilli(1_469_918_176_385L)));

    // The time of the ULID specification's own example.
    assertThat(ids.run()).matches("r_01aryz6s41[0-9a-hjkmnp-tv-z]{16}");
    assertThat(ids.call()).matches("c_01aryz6s41[0-9a-hjkmnp-tv-z]{16}");
  }

  @Test
  void idsSortInTheOrderInWhichTheyWereMadeAlsoWhenTheClockIsSetBack() {
    AtomicLong now = new AtomicLong(NOW.toEpochMilli());
    Ids ids = new Ids(() -> Instant.ofEpochMilli(now.get()));
    List<String> made =
        IntStream.range(0, 1_000)
            .mapToObj(
                i -> {
                  now.addAndGet(i % 7 == 0 ? -50 : 11);
                  return ids.call();
                })
            .toList();

    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void manyThreadsGetDifferentIds() {
    Ids ids = new Ids(InstantSource.fixed(NOW));
    ConcurrentLinkedQueue<String> made = new ConcurrentLinkedQueue<>();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 5_000; i++) {
        pool.execute(() -> made.add(ids.call()));
      }
    }

    assertThat(made).hasSize(5_000).doesNotHaveDuplicates();
  }

  @Test
  void theFirstIdOfATimeComesAfterTheIdsBeforeAndBeforeItsOwn() {
    assertThat(Ids.firstCallAt(NOW)).isLessThan(new Ids(InstantSource.fixed(NOW)).call());
    assertThat(Ids.firstCallAt(NOW))
        .isGreaterThan(new Ids(InstantSource.fixed(NOW.minusMillis(1))).call());
    assertThat(Ids.firstRunAt(NOW)).startsWith("r_").hasSize(28);
  }
}
