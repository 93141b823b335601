package dev.callbound.journal.sqlite;

import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.CircuitReset;
import dev.callbound.journal.ServerStore;
import dev.callbound.journal.ToolList;
import java.util.List;
import java.util.Optional;

/** What is remembered of servers, in a journal that is being written. Thread-safe. */
final class SqliteServers implements ServerStore {
  private final Writer writer;
  private final SqliteReader reader;

  SqliteServers(Writer writer, SqliteReader reader) {
    this.writer = writer;
    this.reader = reader;
  }

  @Override
  public List<CircuitRecord> circuits() {
    return reader.circuits();
  }

  @Override
  public void changed(CircuitRecord circuit) {
    writer.write(Write.unawaitedStep(sql -> ServerSql.changed(sql, circuit)));
  }

  @Override
  public long lastReset() {
    return reader.read(ServerSql::lastReset);
  }

  @Override
  public List<CircuitReset> resetsAfter(long id) {
    return reader.read(sql -> ServerSql.resetsAfter(sql, id));
  }

  @Override
  public Optional<ToolList> toolList(String server) {
    return reader.read(sql -> ServerSql.toolList(sql, server));
  }

  @Override
  public void listed(ToolList list) {
    writer.write(Write.unawaitedStep(sql -> ServerSql.listed(sql, list)));
  }
}
