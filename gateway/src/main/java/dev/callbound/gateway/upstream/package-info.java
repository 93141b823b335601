/**
 * From an attempt to a result or a failure: MCP servers behind stdio processes and behind
 * Streamable HTTP. What happened is reported as evidence; what it means is not known here.
 */
@NullMarked
package dev.callbound.gateway.upstream;

import org.jspecify.annotations.NullMarked;
