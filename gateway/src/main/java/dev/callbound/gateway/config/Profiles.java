package dev.callbound.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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

  /** Those that somebody asked for. To read all of them would cost each start a moment. */
  private static final Map<String, Profile> READ = new ConcurrentHashMap<>();

  private Profiles() {}

  /** All of them. */
  public static List<Profile> shipped() {
    return NAMES.stream().map(Profiles::get).toList();
  }

  /** Their names. */
  public static List<String> names() {
    return NAMES;
  }

  /** The one of this name. */
  public static Optional<Profile> named(String name) {
    return NAMES.contains(name) ? Optional.of(get(name)) : Optional.empty();
  }

  /**
   * The one that is for a server that introduces itself so.
   *
   * @param name {@code serverInfo.name}; null if it gave none
   * @param version {@code serverInfo.version}; null if it gave none
   */
  public static Optional<Profile> byServer(@Nullable String name, @Nullable String version) {
    if (name == null || name.isEmpty()) {
      return Optional.empty();
    }
    return NAMES.stream()
        // Whether it can be is seen without reading what it says.
        .filter(profile -> READ.containsKey(profile) || text(file(profile)).contains(name))
        .map(Profiles::get)
        .filter(profile -> profile.isFor(name, version))
        .findFirst();
  }

  private static Profile get(String name) {
    return READ.computeIfAbsent(name, Profiles::read);
  }

  private static String file(String name) {
    return "profiles/" + name + ".yaml";
  }

  private static Profile read(String name) {
    String file = file(name);
    Reading reading = Reading.with(new Variables(Map.of()));
    Profile profile = ProfileReader.read(new SourceFile(Path.of(file), text(file)), name, reading);
    reading.problems().check();
    if (profile == null) {
      throw new IllegalStateException("a profile that can't be read was not reported: " + file);
    }
    return profile;
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
