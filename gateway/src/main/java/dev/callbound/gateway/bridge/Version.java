package dev.callbound.gateway.bridge;

/** Which Callbound this is. */
final class Version {
  /** From the jar's manifest; {@code dev} where the classes do not come from a jar. */
  static final String TEXT = read();

  private Version() {}

  private static String read() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
