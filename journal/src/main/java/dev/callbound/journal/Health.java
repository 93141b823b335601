package dev.callbound.journal;

import org.jspecify.annotations.Nullable;

/**
 * How the journal is doing.
 *
 * @param queued records that wait to be written
 * @param lost records handed in with {@link Durability#SOON} that could not be written, since the
 *     journal was opened
 * @param failing what is wrong, if the last write failed; null when it succeeded
 */
public record Health(int queued, long lost, @Nullable String failing) {}
