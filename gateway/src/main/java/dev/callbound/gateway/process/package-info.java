/** Processes of others that end together with all that they started. */
@NullMarked
package dev.callbound.gateway.process;

import org.jspecify.annotations.NullMarked;
