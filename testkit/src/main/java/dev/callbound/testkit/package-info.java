/**
 * The MCP server that misbehaves on demand and counts every side effect, for tests, for the demo
 * and for trying other clients against it.
 *
 * <p>{@link dev.callbound.testkit.FaultServer} runs it in this process over HTTP, {@link
 * dev.callbound.testkit.FaultServerMain} as a process of its own over HTTP or stdio. Whatever a
 * client believes about a call, the {@linkplain dev.callbound.testkit.LedgerReport ledger} says how
 * often it really happened.
 */
@NullMarked
package dev.callbound.testkit;

import org.jspecify.annotations.NullMarked;
