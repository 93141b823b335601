/**
 * From bytes to requests and from outcomes to replies: what clients of both kinds of door, HTTP and
 * stdio, have in common. A door knows connections and the forms of the protocol's two eras; it
 * knows nothing of servers and tools.
 */
@NullMarked
package dev.callbound.gateway.door;

import org.jspecify.annotations.NullMarked;
