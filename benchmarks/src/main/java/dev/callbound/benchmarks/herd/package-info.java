/**
 * The herd bench: what reaches a dependency that fails for a while when many runs share it. {@link
 * dev.callbound.benchmarks.herd.HerdBench} drives the runs, prints the table and draws the chart;
 * {@code benchmarks/herd/run} starts it.
 */
@NullMarked
package dev.callbound.benchmarks.herd;

import org.jspecify.annotations.NullMarked;
