/**
 * The rules that bound a call: how long an attempt may take, what its failure means, whether it may
 * be repeated, and how the call ends.
 *
 * <p>Nothing here does I/O, starts a thread, reads a clock or writes a log. What the rules need
 * from outside comes through three ports: {@link dev.callbound.policy.Time}, {@link
 * dev.callbound.policy.Upstream} and {@link dev.callbound.policy.Journal}. {@link
 * dev.callbound.policy.Classifier} decides; {@link dev.callbound.policy.BoundedCall} is the only
 * loop.
 */
@NullMarked
package dev.callbound.policy;

import org.jspecify.annotations.NullMarked;
