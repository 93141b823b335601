package dev.callbound.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The profiles that are shipped. They are read when they are first needed. Thread-safe. */
public final class Profiles {
  /** In the order in which they are asked whether they are for a server. */
  private static final List<String> NAMES =
      List.of(
          "atlassian",
          "everything",
          "fetch",
          "filesystem",
          "git",
          "github",
          "linear",
          "memory",
          "notion",
          "playwright",
          "postgres",
          "slack",
          "sqlite");

  private Profiles() {}

  /** Read once, and only by those who need them. */
  private static final class Shipped {
    static final List<Profile> ALL = NAMES.stream().map(Profiles::read).toList();
  }

  /** All of them. */
  public static List<Profile> shipped() {
    return Shipped.ALL;
  }

  /** Their names. */
  public static List<String> names() {
    return NAMES;
  }

  /** The one of this name. */
  public static Optional<Profile> named(String name) {
    return NAMES.contains(name) ? Optional.of(read(name)) : Optional.empty();
  }

  /**
   * The one that is for a server that introduces itself so.
   *
   * @param name {@code serverInfo.name}; null if it gave none
   * @param version {@code serverInfo.version}; null if it gave none
   */
  public static Optional<Profile> byServer(@Nullable String name, @Nullable String version) {
    return name == null
        ? Optional.empty()
        : shipped().stream().filter(profile -> profile.isFor(name, version)).findFirst();
  }

  private static Profile read(String name) {
    String file = "profiles/" + name + ".yaml";
    Reading reading = Reading.with(new Variables(Map.of()));
    Profile profile = ProfileReader.read(new SourceFile(Path.of(file), text(file)), name, reading);
    reading.problems().check();
    Supplier<IllegalStateException> silent =
        () -> new IllegalStateException("a profile that can't be read was not reported: " + file);
    return Optional.ofNullable(profile).orElseThrow(silent);
  }

  private static String text(String file) {
    try (InputStream in = Profiles.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("a profile is missing in the program: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException("a profile can't be read from the program: " + file, broken);
    }
  }
}
