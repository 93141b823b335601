package dev.callbound.journal;

/**
 * What came of asking for a run.
 *
 * @param run as it stands in the journal
 * @param isNew whether it was opened now; else it is an earlier one
 * @param request the one that opened it
 */
public record OpenedRun(RunRecord run, boolean isNew, RunRequest request) {}
