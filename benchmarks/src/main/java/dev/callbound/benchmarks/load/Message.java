package dev.callbound.benchmarks.load;

import java.util.Map;

/**
 * One HTTP/1.1 message: its first line, its headers by lower-case name, and its whole body as text.
 */
record Message(String start, Map<String, String> headers, String body) {}
