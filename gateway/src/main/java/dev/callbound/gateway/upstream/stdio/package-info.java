/**
 * MCP servers that are processes of ours: started when first needed, spoken to over their standard
 * streams, and stopped with everything that they started.
 */
@NullMarked
package dev.callbound.gateway.upstream.stdio;

import org.jspecify.annotations.NullMarked;
