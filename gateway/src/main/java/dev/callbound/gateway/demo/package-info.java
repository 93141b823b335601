/**
 * The demo: two clients do the same tasks against servers that misbehave, one that retries on any
 * error and one that goes through the gateway, and the servers' own ledgers say what really
 * happened.
 *
 * <p>Nothing here knows how a task will end. {@code Task} says what is asked of whom, {@code
 * Backend} is whom, {@code NaiveClient} and {@code BoundedClient} are the clients, {@code Demo}
 * lets them at it, and {@code Report} holds what each believed against what was counted.
 */
@NullMarked
package dev.callbound.gateway.demo;

import org.jspecify.annotations.NullMarked;
