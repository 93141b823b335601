package dev.callbound.gateway.config;

import dev.callbound.policy.Backoff;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the config from its files. Thread-safe: it keeps nothing between two loads. */
public final class ConfigLoader {
  private static final String FILE_NAME = "callbound.yaml";

  private final Map<String, String> environment;
  private final UserFolders folders;

  /** Takes variables, and the folders of the user, from this environment. */
  public ConfigLoader(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    this.folders = new UserFolders(this.environment);
  }

  /**
   * Loads the config.
   *
   * @param yaml the config file; null means that none was named. With no file named at all, {@code
   *     ./callbound.yaml} is looked for, then {@code callbound/callbound.yaml} in the user's config
   *     folder
   * @param mcpJson an {@code mcpServers} file of another program, whose servers are added; null
   *     means none
   * @throws ConfigException if a file can't be read, or anything in it is wrong
   */
  public Config load(@Nullable Path yaml, @Nullable Path mcpJson) {
    Reading reading = Reading.with(new Variables(environment));
    Path file = yaml != null || mcpJson != null ? yaml : found();
    if (file == null && mcpJson == null) {
      throw new ConfigException(List.of(nothingFound()));
    }
    MappingReader top = top(file, reading);
    Map<String, MappingReader> fromJson =
        mcpJson == null ? Map.of() : McpServersFile.read(new SourceFile(mcpJson), reading);

    RunConfig run = run(top.part(Keys.File.RUN));
    MappingReader defaults = top.part(Keys.File.DEFAULTS);
    CallLayerReader calls =
        new CallLayerReader(
            defaults, Keys.DEFAULT_CALL, run.deadline(), run.spend(), Origin.DEFAULTS);
    CallLayer forAll = calls.read();
    calls.check(List.of(forAll));
    ServerReader servers =
        new ServerReader(
            forAll,
            run.deadline(),
            run.spend(),
            top.value(Keys.File.PREFIX),
            defaults.value(Keys.Defaults.MAX_RESULT),
            new ServerConfig.Crowd(
                defaults.value(Keys.Defaults.AT_ONCE), defaults.value(Keys.Defaults.QUEUE)),
            folders);
    Map<String, String> names = new HashMap<>();
    Map<String, ServerConfig> all =
        new LinkedHashMap<>(servers.readAll(top.parts(Keys.File.SERVERS), names));
    all.putAll(servers.readAll(fromJson, names));
    if (all.isEmpty() && reading.problems().isEmpty()) {
      String blamed = file != null ? file.toString() : String.valueOf(mcpJson);
      reading
          .problems()
          .add(new ConfigProblem(blamed, 0, "", "no server is set and enabled", "set one"));
    }
    Backoff backoff = backoff(top.part(Keys.File.BACKOFF));
    ListenConfig listen = new ListenReader(top.part(Keys.File.LISTEN)).read();
    JournalConfig journal = journal(top.part(Keys.File.JOURNAL));
    ServerConfig.Http alerts = new TransportReader(top.part(Keys.File.ALERTS), folders).http();
    ExpectConfig expect = expect(top.part(Keys.File.EXPECT), listen);
    boolean settleByModel = top.value(Keys.File.SETTLE_BY_MODEL);
    reading.problems().check();
    if (listen == null) {
      throw new IllegalStateException("a door that can't be made was not reported");
    }
    return new Config(
        all,
        run,
        backoff,
        listen,
        journal,
        alerts,
        expect,
        settleByModel,
        reading.allSecrets(),
        reading.warnings());
  }

  /**
   * Loads only where the journal lies, so that it can be read where the servers' variables are not
   * set.
   *
   * @param yaml the config file; null means the one that {@link #load} would find, or the defaults
   * @throws ConfigException if the file can't be read, or its journal is wrong
   */
  public JournalConfig loadJournal(@Nullable Path yaml) {
    Reading reading = Reading.with(new Variables(environment));
    MappingReader top = top(yaml != null ? yaml : found(), reading);
    JournalConfig journal = journal(top.part(Keys.File.JOURNAL));
    reading.problems().check();
    return journal;
  }

  private static MappingReader top(@Nullable Path path, Reading reading) {
    if (path == null) {
      SourceFile none = new SourceFile(Path.of(FILE_NAME));
      return MappingReader.strict(reading, none, Node.Mapping.NONE, "", Keys.File.SECTION);
    }
    SourceFile file = new SourceFile(path);
    Node.Mapping root = file.yaml(reading.problems());
    // Without its root a file has nothing more to say: what else is found wrong would only confuse.
    reading.problems().check();
    if (root == null) {
      throw new IllegalStateException("a file without a mapping was not reported: " + path);
    }
    return MappingReader.strict(reading, file, root, "", Keys.File.SECTION);
  }

  private @Nullable Path found() {
    Path here = Path.of(FILE_NAME);
    if (Files.exists(here)) {
      return here;
    }
    Path users = folders.config().resolve(FILE_NAME);
    return Files.exists(users) ? users : null;
  }

  private ConfigProblem nothingFound() {
    return new ConfigProblem(
        "",
        0,
        "",
        "no config: neither ./"
            + FILE_NAME
            + " nor "
            + folders.config().resolve(FILE_NAME)
            + " exists",
        "name one with --config FILE, or your client's own with --mcp-config .mcp.json");
  }

  private static RunConfig run(MappingReader reader) {
    return new RunConfig(
        reader.value(Keys.Run.DEADLINE),
        reader.value(Keys.Run.RETRIES),
        reader.written(Keys.Run.SPEND),
        reader.value(Keys.Run.IDLE_AFTER));
  }

  private static Backoff backoff(MappingReader reader) {
    Duration base = reader.value(Keys.Wait.BASE);
    Duration cap = reader.value(Keys.Wait.CAP);
    if (cap.compareTo(base) < 0) {
      reader.problem(
          reader.has(Keys.Wait.CAP) ? Keys.Wait.CAP : Keys.Wait.BASE,
          "the cap "
              + Durations.format(cap)
              + " is shorter than the base "
              + Durations.format(base),
          "set a cap of at least the base");
      return new Backoff(base, base);
    }
    return new Backoff(base, cap);
  }

  private ExpectConfig expect(MappingReader reader, @Nullable ListenConfig listen) {
    List<String> written = reader.written(Keys.Expect.FOLDERS);
    // Who comes over the network with a token must not find out which files there are.
    boolean anybody = listen != null && listen.tokens().isEmpty();
    List<Path> folders =
        written == null
            ? (anybody ? null : List.of())
            : written.stream().map(folder -> folder(reader, folder)).toList();
    return new ExpectConfig(folders, reader.values(Keys.Expect.HOSTS));
  }

  private Path folder(MappingReader reader, String folder) {
    return folders.resolve(folder, reader.file().folder()).toAbsolutePath().normalize();
  }

  private JournalConfig journal(MappingReader reader) {
    String file = reader.written(Keys.Journal.FILE);
    Path path =
        file == null
            ? folders.state().resolve("callbound.db")
            : folders.resolve(file, reader.file().folder());
    return new JournalConfig(path, reader.value(Keys.Journal.RETENTION));
  }
}
