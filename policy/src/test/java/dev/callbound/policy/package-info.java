/** Tests of the rules: unit tests beside each class, and the laws in virtual time. */
@NullMarked
package dev.callbound.policy;

import org.jspecify.annotations.NullMarked;
