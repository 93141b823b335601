/** Tests of what the policy gives to others for their tests. */
@NullMarked
package dev.callbound.policy.testing;

import org.jspecify.annotations.NullMarked;
