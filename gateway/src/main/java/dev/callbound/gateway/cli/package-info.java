/**
 * The command line: starts the gateway, and reads the journal for people and, with {@code --json},
 * for programs.
 */
@NullMarked
package dev.callbound.gateway.cli;

import org.jspecify.annotations.NullMarked;
