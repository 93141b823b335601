/**
 * The program, put together: {@link dev.callbound.gateway.Gateway} joins what stands in the
 * packages below, each of which knows only its neighbours.
 */
@NullMarked
package dev.callbound.gateway;

import org.jspecify.annotations.NullMarked;
