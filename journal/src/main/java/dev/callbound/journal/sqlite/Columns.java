package dev.callbound.journal.sqlite;

import dev.callbound.policy.Money;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How values stand in columns: enums by their lower-case names; times, durations and money as
 * numbers.
 */
final class Columns {
  private Columns() {}

  static String code(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }

  static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }

  static @Nullable Long micros(@Nullable Duration duration) {
    return duration == null ? null : duration.toNanos() / 1_000;
  }

  static <E extends Enum<E>> E value(Class<E> type, String code) {
    return Enum.valueOf(type, code.toUpperCase(Locale.ROOT));
  }

  static <E extends Enum<E>> E value(Class<E> type, ResultSet row, String column)
      throws SQLException {
    return value(type, row.getString(column));
  }

  static @Nullable Long millionths(@Nullable Money amount) {
    return amount == null ? null : amount.millionths();
  }

  static @Nullable Money money(ResultSet row, String column) throws SQLException {
    long millionths = row.getLong(column);
    return row.wasNull() ? null : new Money(millionths);
  }

  static @Nullable String text(ResultSet row, String column) throws SQLException {
    return row.getString(column);
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return Instant.ofEpochMilli(row.getLong(column));
  }

  static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  static @Nullable Duration millisOrNull(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Duration.ofMillis(millis);
  }

  static @Nullable Duration microsOrNull(ResultSet row, String column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : Duration.ofNanos(micros * 1_000);
  }
}
