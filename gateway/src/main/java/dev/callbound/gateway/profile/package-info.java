/**
 * What is known of a server's tools held against the tools that it really has: whether the
 * recognition of each can work at all, and a first draft of a profile for a server that has none.
 *
 * <p>What a profile says is data, read by {@link dev.callbound.gateway.config} like the config's
 * own words. May see the config, the policy's words and the protocol's.
 */
@NullMarked
package dev.callbound.gateway.profile;

import org.jspecify.annotations.NullMarked;
