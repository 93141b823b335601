/**
 * MCP servers behind Streamable HTTP, of the revisions with sessions and of 2026-07-28. One request
 * is one POST; what is known about its fate is reported, and nothing is ever repeated in secret.
 */
@NullMarked
package dev.callbound.gateway.upstream.http;

import org.jspecify.annotations.NullMarked;
