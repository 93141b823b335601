/**
 * The journal in one SQLite file, which a person can open with {@code sqlite3}.
 *
 * <pre>
 *   caller → WriteQueue → Writer (one thread, one transaction and one sync for all that wait) → file
 *   caller → SqliteReader (a few connections of their own) → file
 * </pre>
 *
 * <p>{@link dev.callbound.journal.sqlite.SqliteJournal} is the way in. The tables are in {@code
 * 1.sql}; what is written and asked of them is in {@code RunSql} and {@code CallSql}, what is done
 * at the start in {@code Schema} and {@code Recoverer}, what is forgotten in {@code Retention}.
 */
@NullMarked
package dev.callbound.journal.sqlite;

import org.jspecify.annotations.NullMarked;
