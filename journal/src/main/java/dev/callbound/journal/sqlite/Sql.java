package dev.callbound.journal.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection and its prepared statements.
 *
 * <p>Statements are prepared once and kept, so their text must be one of a fixed number of texts.
 * Used by one thread at a time.
 */
final class Sql implements AutoCloseable {
  /** Makes a value of a row. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Sql(Connection connection) {
    this.connection = connection;
  }

  /** Executes a script of statements that have no parameters and bring no rows. */
  void script(String statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(statements);
    }
  }

  /** Executes a statement, and says how many rows it changed. */
  int update(String text, @Nullable Object... values) throws SQLException {
    return bind(text, values).executeUpdate();
  }

  <T> List<T> list(String text, Row<T> row, @Nullable Object... values) throws SQLException {
    List<T> found = new ArrayList<>();
    try (ResultSet rows = bind(text, values).executeQuery()) {
      while (rows.next()) {
        found.add(row.read(rows));
      }
    }
    return found;
  }

  <T> Optional<T> first(String text, Row<T> row, @Nullable Object... values) throws SQLException {
    try (ResultSet rows = bind(text, values).executeQuery()) {
      return rows.next() ? Optional.of(row.read(rows)) : Optional.empty();
    }
  }

  /** The single number that a query brings. */
  long number(String text, @Nullable Object... values) throws SQLException {
    return first(text, row -> row.getLong(1), values).orElseThrow();
  }

  void begin() throws SQLException {
    update("BEGIN IMMEDIATE");
  }

  void commit() throws SQLException {
    update("COMMIT");
  }

  private PreparedStatement bind(String text, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepared.get(text);
    if (statement == null) {
      statement = connection.prepareStatement(text);
      prepared.put(text, statement);
    }
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** Gives it up; what was begun and not committed is undone. */
  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
