/**
 * One file to validated, immutable records: what the servers are, how long their tools may take,
 * where the door listens and where the journal lies.
 *
 * <p>Every key, default, unit and line of help is written once, in {@link
 * dev.callbound.gateway.config.Keys}. The loader reads by it, and {@code docs/configuration.md} and
 * {@code docs/callbound.schema.json} are generated from it. Everything that the file can say, the
 * records can say too.
 */
@NullMarked
package dev.callbound.gateway.config;

import org.jspecify.annotations.NullMarked;
