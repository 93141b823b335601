package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SightingTest {
  private static final String KEY = "5a1f0c9e-0000-8000-8000-000000000001";
  private static final Json ARGUMENTS =
      Json.of("{\"title\":\"Q3\",\"number\":7,\"in\":{\"id\":\"a/b\"}}");

  private static Json structured(String json) {
    return JsonObject.of("content", Json.array(List.of()))
        .with("structuredContent", Json.of(json))
        .toJson();
  }

  private static Json text(String... texts) {
    List<Json> items =
        List.of(texts).stream()
            .map(
                text ->
                    JsonObject.of("type", Json.text("text")).with("text", Json.text(text)).toJson())
            .toList();
    return JsonObject.of("content", Json.array(items)).toJson();
  }

  private static Sighting look(Json page, @Nullable String at, @Nullable String equals) {
    return Sighting.in(page, at == null ? null : new Recognise.Found(at, equals), ARGUMENTS, KEY);
  }

  private static List<Json> seen(Sighting sighting) {
    assertThat(sighting).isInstanceOf(Sighting.Seen.class);
    return ((Sighting.Seen) sighting).things();
  }

  @Test
  void theElementThatHoldsTheKeyIsFound() {
    Json page =
        structured(
            "{\"comments\":[{\"id\":1,\"body\":\"hi\"},{\"id\":2,\"body\":\"x <!-- "
                + KEY
                + " -->\"}]}");

    assertThat(seen(look(page, null, null)))
        .singleElement()
        .satisfies(found -> assertThat(found.at("id")).isEqualTo(Json.of("2")));
  }

  @Test
  void aKeyThatIsInOneElementTwiceIsFoundOnce() {
    Json page = text("[{\"body\":\"" + KEY + "\",\"html\":\"<p>" + KEY + "</p>\"}]");

    assertThat(seen(look(page, null, null))).hasSize(1);
  }

  @Test
  void twoElementsAreTwo() {
    Json page = text("[{\"body\":\"" + KEY + "\"},{\"body\":\"" + KEY + "\"}]");

    assertThat(seen(look(page, null, null))).hasSize(2);
  }

  @Test
  void proseIsSearchedAsItStands() {
    assertThat(seen(look(text("1. one " + KEY + "\n2. two"), null, null))).hasSize(1);
    assertThat(seen(look(text("1. " + KEY + "\n2. " + KEY), null, null))).hasSize(2);
    assertThat(seen(look(text("nothing here"), null, null))).isEmpty();
  }

  @Test
  void anAnswerWithoutContentSaysNothing() {
    assertThat(look(Json.of("{\"content\":[]}"), null, null))
        .isInstanceOf(Sighting.Unreadable.class);
    assertThat(look(Json.of("{\"content\":[]}"), "/a", null))
        .isInstanceOf(Sighting.Unreadable.class);
  }

  @Test
  void theElementWhoseMemberEqualsTheArgumentIsFound() {
    Json page = structured("{\"issues\":[{\"t\":\"Q2\"},{\"t\":\"Q3\",\"n\":9},{\"other\":1}]}");

    assertThat(seen(look(page, "/issues/*/t", "/title")))
        .singleElement()
        .satisfies(found -> assertThat(found.at("n")).isEqualTo(Json.of("9")));
  }

  @Test
  void anEmptyListIsAbsenceAndAMissingOneIsNot() {
    assertThat(seen(look(structured("{\"issues\":[]}"), "/issues/*/t", "/title"))).isEmpty();
    assertThat(look(structured("{\"items\":[]}"), "/issues/*/t", "/title"))
        .isInstanceOf(Sighting.Unreadable.class);
    assertThat(look(structured("{\"issues\":{\"t\":1}}"), "/nothing", "/title"))
        .isInstanceOf(Sighting.Unreadable.class);
  }

  @Test
  void anArgumentThatIsNotThereSaysNothing() {
    assertThat(look(structured("{\"issues\":[]}"), "/issues/*/t", "/no/such"))
        .isInstanceOf(Sighting.Unreadable.class);
  }

  @Test
  void anIdIsTheSameAsNumberAndAsText() {
    assertThat(seen(look(structured("[{\"n\":\"7\"}]"), "/*/n", "/number"))).hasSize(1);
    assertThat(seen(look(structured("[{\"n\":7.0}]"), "/*/n", "/number"))).hasSize(1);
    assertThat(seen(look(structured("[{\"n\":true}]"), "/*/n", "/number"))).isEmpty();
  }

  @Test
  void aNameWithASlashIsReachedEscaped() {
    assertThat(seen(look(structured("{\"a/b\":[{\"id\":\"a/b\"}]}"), "/a~1b/*/id", "/in/id")))
        .hasSize(1);
  }

  @Test
  void aStarAlsoStandsForTheFieldsOfAnObject() {
    assertThat(
            seen(
                look(
                    structured("{\"r_1\":{\"t\":\"Q3\"},\"r_2\":{\"t\":\"x\"}}"),
                    "/*/t",
                    "/title")))
        .hasSize(1);
  }

  @Test
  void withoutAnythingToEqualWhatIsThereCounts() {
    assertThat(seen(look(structured("{\"found\":0,\"objects\":[]}"), "/objects/*", null)))
        .isEmpty();
    assertThat(seen(look(structured("{\"objects\":[\"o1\"]}"), "/objects/*", null)))
        .containsExactly(Json.text("o1"));
    assertThat(seen(look(structured("{\"objects\":[\"o1\",\"o2\"]}"), "/objects", null)))
        .hasSize(2);
    assertThat(seen(look(structured("{\"found\":0}"), "/found", null))).isEmpty();
    assertThat(seen(look(structured("{\"found\":1}"), "/found", null))).hasSize(1);
    assertThat(seen(look(structured("{\"found\":1000000000000}"), "/found", null)))
        .hasSizeGreaterThan(1);
    assertThat(seen(look(structured("{\"issue\":null}"), "/issue", null))).isEmpty();
  }
}
