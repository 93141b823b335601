package dev.callbound.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds the docs, the schema and the examples to the keys that the loader knows. After a change of
 * the keys, run this test with {@code -Dcallbound.regenerate=true}, which writes docs and schema.
 */
class ReferenceTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();
  private static final Path DOCS = ROOT.resolve("docs/configuration.md");
  private static final Path SCHEMA = ROOT.resolve("docs/callbound.schema.json");
  private static final Path PROFILE_DOCS = ROOT.resolve("docs/profiles.md");
  private static final Path PROFILE_SCHEMA = ROOT.resolve("docs/callbound-profile.schema.json");
  private static final Path PROFILES =
      ROOT.resolve("gateway/src/main/resources/dev/callbound/gateway/config/profiles");

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "HOME", "/home/somebody",
          "GITHUB_TOKEN", "github-token-0123456789",
          "CRM_TOKEN", "crm-token-0123456789",
          "CI_TOKEN", "ci-token-0123456789");

  @Test
  void docsListEveryKeyAsTheLoaderKnowsIt() throws IOException {
    regenerate(DOCS, Reference.docs(Files.readString(DOCS)));
    String docs = Files.readString(DOCS);

    assertThat(Reference.sectionsIn(docs)).containsExactlyInAnyOrderElementsOf(Reference.SECTIONS);
    assertThat(docs).isEqualTo(Reference.docs(docs));
  }

  @Test
  void schemaIsGeneratedFromTheKeys() throws IOException {
    regenerate(SCHEMA, Reference.schema());

    assertThat(Files.readString(SCHEMA)).isEqualTo(Reference.schema());
  }

  @Test
  void docsOfProfilesListEveryKeyAndEveryShippedProfile() throws IOException {
    regenerate(PROFILE_DOCS, Reference.docs(Files.readString(PROFILE_DOCS)));
    String docs = Files.readString(PROFILE_DOCS);

    assertThat(Reference.sectionsIn(docs)).containsExactlyElementsOf(Reference.PROFILE);
    assertThat(docs).isEqualTo(Reference.docs(docs));
    for (Profile profile : Profiles.shipped()) {
      assertThat(docs)
          .contains("| `%s` | ".formatted(profile.name()))
          .contains(" | %s | %s |".formatted(profile.version(), profile.checked()));
    }
  }

  @Test
  void schemaOfProfilesIsGeneratedFromTheKeysAndFitsTheShippedOnes() throws IOException {
    regenerate(PROFILE_SCHEMA, Reference.profileSchema());

    assertThat(Files.readString(PROFILE_SCHEMA)).isEqualTo(Reference.profileSchema());
    for (String name : Profiles.names()) {
      String yaml = Files.readString(PROFILES.resolve(name + ".yaml"));
      assertThat(errors(Reference.profileSchema(), yaml)).as(name).isEmpty();
    }
  }

  @Test
  void schemaListsEveryKeyThatTheLoaderKnowsWithItsDefault() throws IOException {
    Map<String, String> known = new HashMap<>();
    collect(Keys.File.SECTION, "", known);
    Map<String, String> listed = new HashMap<>();
    collect(new ObjectMapper().readTree(SCHEMA.toFile()), "", listed);

    assertThat(listed).isEqualTo(known);
  }

  @ParameterizedTest
  @ValueSource(strings = {"callbound.yaml", "callbound-full.yaml"})
  void exampleLoadsAndFitsTheSchema(String name) throws IOException {
    Path example = ROOT.resolve("examples").resolve(name);

    assertThat(new ConfigLoader(ENVIRONMENT).load(example, null).servers()).isNotEmpty();
    assertThat(schemaErrors(Files.readString(example))).isEmpty();
  }

  @Test
  void fullExampleShowsEveryKey() throws IOException {
    String example = Files.readString(ROOT.resolve("examples/callbound-full.yaml"));

    for (Section section : Reference.SECTIONS) {
      for (String name : section.names()) {
        assertThat(example).containsPattern("(?m)(^|[ {])" + name + ":");
      }
    }
  }

  @Test
  void exampleOfAnotherProgramLoads() {
    Config config = new ConfigLoader(ENVIRONMENT).load(null, ROOT.resolve("examples/mcp.json"));

    assertThat(config.servers()).containsOnlyKeys("files", "github");
    assertThat(config.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "servers: {a: {command: a, deadlin: 3s}}",
        "servers: {a: {command: a, deadline: 3}}",
        "servers: {a: {command: a, url: 'https://a.example'}}",
        "servers: {a__b: {command: a}}",
        "servers: {a: {command: a}}\ndefaults: {attempts: 11}",
        "servers: {a: {command: a}}\ndefaults: {max_result: 8MB}",
        "servers: {a: {command: a, tools: {t: {recognise: key}}}}",
        "servers: {a: {command: a, tools: {t: {recognise: {check: {}}}}}}",
        "servers: {a: {command: a, tools: {t: {recognise: {marker: {as: '{kee}'}}}}}}",
      })
  void schemaRefusesWhatTheLoaderRefuses(String yaml) {
    assertThat(schemaErrors(yaml)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "servers: {a: {command: a, deadline: '${D:-3s}', attempts: '${N}'}}",
        "servers: {a: {command: a, stop_grace: 0, env: {PORT: 80}, tools: }}",
        "servers: {a: {command: a, tools: {t: {recognise: none}, u: {recognise: {key: {meta:"
            + " k}}}}}}",
        "servers: {a: {command: a, max_result: 1024, stall: 1h30m, tools: {t: {effect: read}}}}",
      })
  void schemaTakesWhatTheLoaderTakes(String yaml) {
    assertThat(schemaErrors(yaml)).isEmpty();
  }

  private static List<String> schemaErrors(String yaml) {
    return errors(Reference.schema(), yaml);
  }

  private static List<String> errors(String schema, String yaml) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(schema)
        .validate(yaml, InputFormat.YAML)
        .stream()
        .map(Object::toString)
        .toList();
  }

  private static void collect(Section section, String path, Map<String, String> found) {
    for (Key key : section.keys()) {
      String keyPath = path + "/" + key.name();
      switch (key) {
        case Key.Value<?> one ->
            found.put(keyPath, one.standard() == null ? "" : one.defaultText());
        case Key.Values<?> many ->
            found.put(keyPath, many.standard() == null ? "" : "[" + many.defaultText() + "]");
        case Key.Pairs _, Key.Tree _ -> found.put(keyPath, "");
        case Key.Part part -> collectUnder(part.section(), keyPath, found);
        case Key.PartOrWord part -> collectUnder(part.section(), keyPath, found);
        case Key.Parts parts -> collectUnder(parts.section(), keyPath, found);
        case Key.Entries entries -> collectUnder(entries.section(), keyPath, found);
      }
    }
  }

  private static void collectUnder(Section section, String path, Map<String, String> found) {
    found.put(path, "");
    collect(section, path, found);
  }

  private static void collect(JsonNode schema, String path, Map<String, String> found) {
    schema
        .path("properties")
        .forEachEntry(
            (name, property) -> {
              String keyPath = path + "/" + name;
              found.put(keyPath, standard(property.path("default")));
              collect(property, keyPath, found);
              collect(property.path("additionalProperties"), keyPath, found);
              collect(property.path("items"), keyPath, found);
              property.path("anyOf").forEach(choice -> collect(choice, keyPath, found));
            });
  }

  private static String standard(JsonNode node) {
    if (!node.isArray()) {
      return node.asText();
    }
    List<String> items = new ArrayList<>();
    node.forEach(item -> items.add(item.asText()));
    return "[" + String.join(", ", items) + "]";
  }

  private static void regenerate(Path file, String text) throws IOException {
    if (Boolean.getBoolean("callbound.regenerate")) {
      Files.writeString(file, text);
    }
  }
}
