/** The stdio door: one client, one line per message. */
@NullMarked
package dev.callbound.gateway.door.stdio;

import org.jspecify.annotations.NullMarked;
