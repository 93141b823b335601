/**
 * What is remembered: runs, calls and attempts, the tools seen and the processes started.
 *
 * <p>{@link dev.callbound.journal.JournalStore} is the whole of it, {@link
 * dev.callbound.journal.JournalReader} the half that only looks. The records are plain values; how
 * they are kept is the business of a sub-package. Arguments and results arrive here masked or
 * digested: nothing in this module looks inside them.
 */
@NullMarked
package dev.callbound.journal;

import org.jspecify.annotations.NullMarked;
