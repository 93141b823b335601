/**
 * Field cases: what people who run agents have reported, each as a script for a server that
 * misbehaves on demand, with the answer that a caller must get, the effects that the server must
 * have counted, and the record that must remain. They run the whole gateway over real sockets and
 * processes.
 *
 * <p>The server is the testkit's. With {@code -Dcallbound.faultserver="COMMAND …"} another
 * implementation of the same options, tools and ledger is started instead.
 */
@org.jspecify.annotations.NullMarked
package dev.callbound.gateway.cases;
