/**
 * The journal in one SQLite file, which a person can open with {@code sqlite3}.
 *
 * <pre>
 *   caller → WriteQueue → Writer (one thread, one transaction and one sync for all that wait) → file
 *   caller → Readers (a few connections of their own) → file
 * </pre>
 *
 * <p>{@link dev.callbound.journal.sqlite.SqliteJournal} is the way in. SQL stands in three places:
 * {@code RunSql} and {@code CallSql} hold what is asked and written while running, {@code Recoverer}
 * what is done once, at the start; the tables are in {@code 1.sql}.
 */
@NullMarked
package dev.callbound.journal.sqlite;

import org.jspecify.annotations.NullMarked;
