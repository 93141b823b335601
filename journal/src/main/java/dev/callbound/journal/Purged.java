package dev.callbound.journal;

/** How much was forgotten. */
public record Purged(int calls, int runs) {}
