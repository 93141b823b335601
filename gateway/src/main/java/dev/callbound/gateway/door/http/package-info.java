/**
 * The Streamable HTTP door: who is let in, which era of the protocol a request belongs to, sessions
 * where the era has them, and answers as JSON or as a stream of events.
 */
@NullMarked
package dev.callbound.gateway.door.http;

import org.jspecify.annotations.NullMarked;
