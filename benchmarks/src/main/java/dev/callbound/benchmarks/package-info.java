/** Benchmarks of the policy, one question per class. */
@NullMarked
package dev.callbound.benchmarks;

import org.jspecify.annotations.NullMarked;
