package dev.callbound.gateway.config;

import dev.callbound.policy.Effect;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of a profile.
 *
 * @param name the profile's name
 * @param top the file's mapping
 */
record ProfileReader(String name, MappingReader top) {
  /** The profile; null if something in it is wrong, which is reported. */
  static @Nullable Profile read(SourceFile file, String name, Reading reading) {
    Node.Mapping root = file.yaml(reading.problems());
    return root == null
        ? null
        : new ProfileReader(
                name, MappingReader.strict(reading, file, root, "", ProfileKeys.SECTION))
            .read();
  }

  private @Nullable Profile read() {
    String source = required(top, ProfileKeys.SOURCE, "say where the tools are published");
    String version = required(top, ProfileKeys.VERSION, "say what it was checked against");
    LocalDate checked = required(top, ProfileKeys.CHECKED, "say when it was checked");
    List<Profile.Server> servers = servers();
    List<Profile.Status> statuses = statuses();
    Map<String, CallLayer> tools = tools();
    return source == null || version == null || checked == null
        ? null
        : new Profile(name, source, version, checked, servers, statuses, tools);
  }

  private List<Profile.Server> servers() {
    List<Profile.Server> servers = new ArrayList<>();
    for (MappingReader server : top.entries(ProfileKeys.SERVERS)) {
      String own = required(server, ProfileKeys.Server.NAME, "write the server's own name");
      Pattern version = server.written(ProfileKeys.Server.VERSION);
      if (own != null) {
        servers.add(new Profile.Server(own, version));
      }
    }
    return servers;
  }

  private List<Profile.Status> statuses() {
    List<Profile.Status> statuses = new ArrayList<>();
    for (MappingReader entry : top.entries(ProfileKeys.STATUSES)) {
      Pattern text = required(entry, ProfileKeys.Status.TEXT, "write what is found in the text");
      Integer status = entry.written(ProfileKeys.Status.STATUS);
      if (text == null) {
        continue;
      }
      if (!entry.has(ProfileKeys.Status.STATUS) && text.matcher("").groupCount() == 0) {
        entry.problem(
            ProfileKeys.Status.TEXT,
            "names no status, and has no group that holds one",
            "add status, or put the digits in a group, as in '([45]\\d\\d) Error'");
      } else if (status != null || !entry.has(ProfileKeys.Status.STATUS)) {
        statuses.add(new Profile.Status(text, status));
      }
    }
    return statuses;
  }

  private Map<String, CallLayer> tools() {
    Map<String, MappingReader> places = top.parts(ProfileKeys.TOOLS);
    Map<String, CallLayer> tools = new LinkedHashMap<>();
    places.forEach(
        (tool, place) -> {
          required(place, ProfileKeys.Tool.EFFECT, "write read or write");
          CallLayerReader reader =
              new CallLayerReader(
                  place, ProfileKeys.Tool.CALL, Durations.MONTH, null, Origin.PROFILE);
          CallLayer layer = reader.readTool(tool);
          reader.check(List.of(layer));
          tools.put(tool, layer);
        });
    tools.forEach((tool, layer) -> checkQuestion(layer, tools, places.get(tool)));
    return tools;
  }

  /** A profile knows its server: it asks nothing of a tool that is not known to read. */
  private static void checkQuestion(
      CallLayer layer, Map<String, CallLayer> tools, @Nullable MappingReader place) {
    if (place == null || !(layer.recognise() instanceof Recognise.ByCheck(_, var check))) {
      return;
    }
    CallLayer asked = tools.get(check.tool());
    if (asked == null || asked.effect() != Effect.READ) {
      place.problem(
          Keys.Tool.RECOGNISE,
          "asks " + check.tool() + ", which this profile does not list as a read",
          "list it with effect: read, or ask another");
    }
  }

  private static <T> @Nullable T required(MappingReader reader, Key.Value<T> key, String right) {
    if (!reader.has(key)) {
      reader.problem(key.name() + " is missing", right);
    }
    return reader.written(key);
  }
}
