/**
 * Runs: the unit of work that a client can come back to, with a deadline, a budget of retries and
 * one cancellation for everything in it. What is here while the program runs is also in the
 * journal, so that neither a reconnect nor a restart gives a run more than it had.
 */
@NullMarked
package dev.callbound.gateway.run;

import org.jspecify.annotations.NullMarked;
