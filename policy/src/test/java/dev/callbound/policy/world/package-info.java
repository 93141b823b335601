/**
 * A world in virtual time: clients that repeat themselves, a gateway that dies, tools that answer
 * late, twice or never. What must always hold is held against the tools' own ledger.
 *
 * <p>The gateway in it is a model, as small as it can be: the rules of {@code policy} are the real
 * ones, and what remembers, joins and recovers is what the real journal and gateway must do too.
 */
@NullMarked
package dev.callbound.policy.world;

import org.jspecify.annotations.NullMarked;
