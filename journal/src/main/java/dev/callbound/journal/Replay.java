package dev.callbound.journal;

/**
 * A result that is kept so that a repeat can be answered with it.
 *
 * @param result as JSON
 * @param masked whether something was taken out of it, so that it is not byte for byte what the
 *     tool had answered
 */
public record Replay(String result, boolean masked) {}
