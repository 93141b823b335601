package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one load carries from file to file: the variables, and what was found wrong, passed over and
 * secret so far. Not thread-safe.
 */
record Reading(Variables variables, Problems problems, List<String> warnings, Set<String> secrets) {
  /** RFC 9110, 11.4: a scheme, a space and a token. */
  private static final Pattern CREDENTIAL = Pattern.compile("[A-Za-z-]{1,20} (\\S+)");

  static Reading with(Variables variables) {
    return new Reading(variables, new Problems(), new ArrayList<>(), new LinkedHashSet<>());
  }

  Secret secret(String text) {
    secrets.add(text);
    // An error may quote a credential without its scheme, the Bearer before it.
    Matcher credential = CREDENTIAL.matcher(text);
    if (credential.matches()) {
      secrets.add(credential.group(1));
    }
    return Secret.of(text);
  }

  /** All that must not be printed. */
  Secrets allSecrets() {
    Set<String> all = new LinkedHashSet<>(secrets);
    all.addAll(variables.used());
    return Secrets.of(all);
  }
}
