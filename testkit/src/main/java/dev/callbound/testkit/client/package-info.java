/**
 * An MCP client for tests: it does what it is told, hides nothing, and repeats nothing by itself.
 */
@NullMarked
package dev.callbound.testkit.client;

import org.jspecify.annotations.NullMarked;
