package dev.callbound.gateway.cli;

import picocli.CommandLine.IVersionProvider;

/** Which Callbound this is, and on which Java it runs. */
final class Version implements IVersionProvider {
  /** For picocli, which makes it by itself. */
  Version() {}

  @Override
  public String[] getVersion() {
    return new String[] {
      "callbound "
          + text()
          + " (Java "
          + Runtime.version()
          + ", "
          + System.getProperty("os.name")
          + ")"
    };
  }

  /** The version in the jar's manifest; {@code dev} where the classes do not come from a jar. */
  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
