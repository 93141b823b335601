/**
 * From a client's request to a bounded call, and from its outcome to an answer: which server and
 * tool is meant, whether it reads or writes, how long it may take, which run it belongs to.
 */
@NullMarked
package dev.callbound.gateway.bridge;

import org.jspecify.annotations.NullMarked;
