/** Virtual time and a scripted upstream, for tests of code that uses the policy. */
@NullMarked
package dev.callbound.policy.testing;

import org.jspecify.annotations.NullMarked;
