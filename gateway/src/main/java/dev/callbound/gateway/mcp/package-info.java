/**
 * The wire as data: JSON that is carried as the bytes it came in, JSON-RPC messages, and what the
 * revisions of MCP differ in. Nothing here does I/O or knows who is at the other end.
 */
@NullMarked
package dev.callbound.gateway.mcp;

import org.jspecify.annotations.NullMarked;
