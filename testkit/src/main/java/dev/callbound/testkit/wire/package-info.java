/**
 * HTTP/1.1, server-sent events and JSON-RPC at the level where they can be broken on purpose: plain
 * bytes on plain sockets, shared by the server and the client of the testkit.
 */
@NullMarked
package dev.callbound.testkit.wire;

import org.jspecify.annotations.NullMarked;
