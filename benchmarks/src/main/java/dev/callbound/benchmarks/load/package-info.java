/**
 * The load bench: what a proxy in front of an MCP server costs, against the server reached
 * directly. {@link dev.callbound.benchmarks.load.LoadServer} is the server, {@link
 * dev.callbound.benchmarks.load.LoadBench} the clients and the table; {@code benchmarks/load/run}
 * starts both and what stands between them.
 */
@NullMarked
package dev.callbound.benchmarks.load;

import org.jspecify.annotations.NullMarked;
