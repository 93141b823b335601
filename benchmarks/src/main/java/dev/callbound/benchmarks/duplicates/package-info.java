/**
 * The duplicates bench: what becomes of the same writes with the same faults behind clients of
 * several attitudes, and behind Callbound. {@link
 * dev.callbound.benchmarks.duplicates.DuplicatesBench} makes them and prints the table; {@code
 * benchmarks/duplicates/run} starts it.
 */
@NullMarked
package dev.callbound.benchmarks.duplicates;

import org.jspecify.annotations.NullMarked;
