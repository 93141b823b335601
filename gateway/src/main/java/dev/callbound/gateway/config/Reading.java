package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one load carries from file to file: the variables, and what was found wrong, passed over and
 * secret so far. Not thread-safe.
 */
record Reading(Variables variables, Problems problems, List<String> warnings, Set<String> secrets) {
  static Reading with(Variables variables) {
    return new Reading(variables, new Problems(), new ArrayList<>(), new LinkedHashSet<>());
  }

  Secret secret(String text) {
    Secret secret = Secret.of(text);
    secrets.addAll(secret.spellings());
    return secret;
  }

  /** All that must not be printed. */
  Secrets allSecrets() {
    Set<String> all = new LinkedHashSet<>(secrets);
    all.addAll(variables.used());
    return Secrets.of(all);
  }
}
