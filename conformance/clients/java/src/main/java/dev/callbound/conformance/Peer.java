package dev.callbound.conformance;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a session does with either generation of the SDK's client. Each method throws when the
 * server refuses.
 */
interface Peer {

  List<String> tools();

  /** Calls a tool and returns its first text. */
  String call(String tool, Map<String, Object> arguments);

  /** Calls a tool, and hands each progress report to {@code progress} until it answers. */
  void callWithProgress(String tool, Map<String, Object> arguments, Consumer<Double> progress);

  List<String> prompts();

  /** The text of a prompt's first message. */
  String prompt(String name, Map<String, String> arguments);

  /** The values that complete what was typed of a prompt's argument. */
  List<String> complete(String prompt, String argument, String typed);

  /** The addresses of the resources. */
  List<String> resources();

  /** The text of a resource. */
  String read(String uri);

  void close();
}
