package dev.callbound.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CanonicalJsonTest {
  private static String canonical(String json) {
    return CanonicalJson.of(Json.of(json));
  }

  /** The example of RFC 8785 §3.2.2. */
  @Test
  void theExampleOfTheSpecificationComesOutAsItSays() {
    assertThat(
            canonical(
                """
                {
                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }
                """))
        .isEqualTo(
            "{\"literals\":[null,true,false],"
                + "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  }

  /** The example of RFC 8785 §3.2.3: by UTF-16 code units, not by code points. */
  @Test
  void membersAreSortedByTheirCodeUnits() {
    assertThat(
            canonical(
                """
                {"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}
                """))
        .isEqualTo(
            "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\ud83d\ude00\":5,"
                + "\"\ufb33\":3}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "0.0e5, 0",
    "1.0, 1",
    "100, 100",
    "1e2, 100",
    "-1.50, -1.5",
    "1e21, 1e+21",
    "123456789012345680000, 123456789012345680000",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "5e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "333333333.3333332, 333333333.3333332",
    "9007199254740992, 9007199254740992",
    "0.10000000000000000001, 0.1",
  })
  void numbersAreWrittenAsEcmaScriptDoes(String given, String written) {
    assertThat(canonical(given)).isEqualTo(written);
  }

  @ParameterizedTest
  @CsvSource({
    "9007199254740993, 9007199254740993",
    "1234567890123456789, 1234567890123456789",
    "1e400, 1e+400",
    "10e399, 1e+400",
    "-1e-400, -1e-400",
  })
  void aNumberThatADoubleCanNotTellApartKeepsItsDigits(String given, String written) {
    assertThat(canonical(given)).isEqualTo(written);
  }

  @Test
  void aHugeExponentCostsNothing() {
    assertThat(canonical("1e999999999")).isEqualTo("1e+999999999");
  }

  @Test
  void aSurrogateWithoutItsOtherHalfIsNotMistakenForAnother() {
    assertThat(canonical("\"\\ud800\"")).isEqualTo("\"\\ud800\"");
    assertThat(canonical("\"\\udc00\"")).isEqualTo("\"\\udc00\"");
    assertThat(canonical("\"\\ud83d\\ude00\"")).isEqualTo("\"😀\"");
  }

  @Test
  void theSameValueInAnotherSpellingHasTheSameText() {
    assertThat(canonical("{ \"b\": [1, 2.0], \"a\": {\"y\": \"\\u0041\", \"x\": null} }"))
        .isEqualTo(canonical("{\"a\":{\"x\":null,\"y\":\"A\"},\"b\":[1.0,2]}"));
  }

  @Test
  void arraysKeepTheirOrder() {
    assertThat(canonical("[2,1]")).isNotEqualTo(canonical("[1,2]"));
  }
}
