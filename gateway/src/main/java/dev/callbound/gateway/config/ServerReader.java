package dev.callbound.gateway.config;

import dev.callbound.policy.Money;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the servers of a file, ours or another program's.
 *
 * @param defaults what holds for every tool
 * @param run the run's deadline
 * @param spend what a run may spend; null for as much as it likes
 * @param prefix when tools carry their server's name, unless the server says otherwise
 * @param maxResultBytes the largest result, unless the server says otherwise
 * @param crowd how many come at once, unless the server says otherwise
 */
record ServerReader(
    CallLayer defaults,
    Duration run,
    @Nullable Money spend,
    Prefix prefix,
    int maxResultBytes,
    ServerConfig.Crowd crowd,
    UserFolders folders) {
  private static final int LONGEST_TOOL_NAME = 128;

  /** What is a path, and not the name of a shipped profile. */
  private static final Pattern PROFILE_FILE = Pattern.compile("/|\\.ya?ml$");

  /** The server; null if it is switched off, or can't be made, which is reported. */
  @Nullable ServerConfig read(String name, MappingReader reader) {
    if (!ServerConfig.isName(name)) {
      reader.problem("is not a server's name", "use 1 to 32 letters, digits, - and _, without __");
      return null;
    }
    // What is switched off may lack its variables.
    if (!reader.value(Keys.Server.ENABLED) || reader.value(Keys.McpServer.DISABLED)) {
      return null;
    }
    ServerConfig.Transport transport = new TransportReader(reader, folders).read();
    ToolBounds tools = tools(reader);
    ProfileChoice profile = profile(reader);
    Integer max = reader.written(Keys.Server.MAX_RESULT);
    Integer atOnce = reader.written(Keys.Server.AT_ONCE);
    Integer queue = reader.written(Keys.Server.QUEUE);
    Prefix own = reader.written(Keys.Server.PREFIX);
    Annotations annotations = reader.value(Keys.Server.ANNOTATIONS);
    Protocol protocol = reader.value(Keys.Server.PROTOCOL);
    var startTimeout = reader.value(Keys.Server.START_TIMEOUT);
    if (transport == null) {
      return null;
    }
    return new ServerConfig(
        name,
        transport,
        annotations,
        own != null ? own : prefix,
        protocol,
        startTimeout,
        max != null ? max : maxResultBytes,
        new ServerConfig.Crowd(
            atOnce != null ? atOnce : crowd.atOnce(), queue != null ? queue : crowd.queue()),
        profile,
        tools);
  }

  private ProfileChoice profile(MappingReader reader) {
    String choice = reader.value(Keys.Server.PROFILE);
    if (choice.equals(Keys.Server.AUTO_PROFILE)) {
      return new ProfileChoice.ByServer();
    }
    if (choice.equals(Keys.Server.NO_PROFILE)) {
      return new ProfileChoice.None();
    }
    Profile profile = null;
    if (PROFILE_FILE.matcher(choice).find()) {
      SourceFile file = new SourceFile(folders.resolve(choice, reader.file().folder()));
      profile = ProfileReader.read(file, choice, reader.reading());
    } else {
      profile = Profiles.named(choice).orElse(null);
      if (profile == null) {
        String nearest = Nearest.to(choice, Profiles.names());
        reader.problem(
            Keys.Server.PROFILE,
            "'" + choice + "' is not a profile",
            (nearest != null ? "did you mean " + nearest + "? " : "")
                + "shipped: "
                + String.join(", ", Profiles.names())
                + "; for a file of your own write its path, as in ./"
                + choice
                + ".yaml");
      }
    }
    return profile == null ? new ProfileChoice.None() : new ProfileChoice.This(profile);
  }

  private ToolBounds tools(MappingReader reader) {
    CallLayerReader calls =
        new CallLayerReader(reader, Keys.SERVER_CALL, run, spend, Origin.SERVER);
    CallLayer forAll = calls.read();
    calls.check(List.of(forAll, defaults));
    Map<String, CallLayer> tools = new LinkedHashMap<>();
    reader
        .parts(Keys.Server.TOOLS)
        .forEach(
            (tool, part) -> {
              if (tool.isBlank() || tool.length() > LONGEST_TOOL_NAME) {
                part.problem(
                    "is not a tool's name", "use 1 to " + LONGEST_TOOL_NAME + " characters");
              }
              CallLayerReader own =
                  new CallLayerReader(part, Keys.TOOL_CALL, run, spend, Origin.TOOL);
              CallLayer layer = own.readTool(tool);
              own.check(List.of(layer, forAll, defaults));
              checkHeader(layer, part, reader.has(Keys.Server.URL));
              checkCircuit(layer, part, List.of(forAll, defaults));
              tools.put(tool, layer);
            });
    return new ToolBounds(defaults, forAll, tools, run);
  }

  private static void checkHeader(CallLayer layer, MappingReader tool, boolean http) {
    if (!http
        && layer.recognise() instanceof Recognise.ByKey(var carrier, String name, _)
        && carrier == Recognise.Carrier.HEADER) {
      tool.problem(
          Keys.Tool.RECOGNISE,
          "names the header " + name + ", and a server with a command has no headers",
          "name argument, meta or param");
    }
  }

  /** A circuit of the server is nothing that one of its tools can shape, or have alone. */
  private void checkCircuit(CallLayer layer, MappingReader tool, List<CallLayer> around) {
    CircuitConfig.Layer own = layer.circuit();
    if (own == null) {
      return;
    }
    CircuitConfig.Scope ofServer = new CallLayers(around, run).circuit().per();
    CircuitConfig.Scope per = own.per() == null ? ofServer : own.per();
    if (per == CircuitConfig.Scope.SERVER && ofServer == CircuitConfig.Scope.TOOL) {
      tool.problem(
          Keys.TOOL_CALL.circuit(),
          "wants the circuit of its server, which has none",
          "set per: server at the server");
    } else if (per == CircuitConfig.Scope.SERVER && own.saysWhen()) {
      tool.problem(
          Keys.TOOL_CALL.circuit(),
          "says when the circuit of its server opens",
          "add per: tool here, or say it at the server");
    }
  }

  /** All servers that are switched on, by name; {@code names} says where each name was first. */
  Map<String, ServerConfig> readAll(Map<String, MappingReader> readers, Map<String, String> names) {
    Map<String, ServerConfig> servers = new LinkedHashMap<>();
    readers.forEach(
        (name, reader) -> {
          String place = reader.file().path() + ":" + reader.line();
          String first = names.putIfAbsent(name, place);
          if (first != null) {
            reader.problem("is a server already, at " + first, "give one of them another name");
            return;
          }
          ServerConfig server = read(name, reader);
          if (server != null) {
            servers.put(name, server);
          }
        });
    return servers;
  }
}
