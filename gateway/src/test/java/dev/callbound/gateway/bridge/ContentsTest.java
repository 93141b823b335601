package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.Recording;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.Replay;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContentsTest {
  @Test
  void onlyADigestIsKeptUnlessMoreIsAskedFor() {
    Json content = Json.of("{\"a\": 1}");

    assertThat(contents(Recording.DIGEST).kept(content)).isNull();
    assertThat(contents(Recording.FULL).kept(content)).isEqualTo("{\"a\":1}");
    assertThat(contents(Recording.DIGEST).digestOfArguments(content))
        .matches("sha256:[0-9a-f]{64}")
        .isEqualTo(contents(Recording.FULL).digestOfArguments(Json.of("{ \"a\" : 1 }")));
  }

  @Test
  void aFieldIsMaskedAtAnyDepthInAnyCaseWhateverItHolds() {
    Json content =
        Json.of(
            "{\"Token\": \"x\", \"deep\": [{\"TOKEN\": {\"a\": [1]}}], \"tokens\": 3, \"b\": null}");

    assertThat(contents(Recording.FULL, "token").kept(content))
        .isEqualTo("{\"Token\":\"***\",\"deep\":[{\"TOKEN\":\"***\"}],\"tokens\":3,\"b\":null}");
  }

  @Test
  void aPointerMasksOnePlaceAndAMissingOneNothing() {
    Json content = Json.of("{\"a\": [1, 2, {\"b\": 3}], \"c/d\": 4, \"b\": 5}");

    assertThat(
            contents(Recording.FULL, "/a/1", "/a/2/b", "/c~1d", "/x/y", "/a/7", "/b/c")
                .kept(content))
        .isEqualTo("{\"a\":[1,\"***\",{\"b\":\"***\"}],\"c/d\":\"***\",\"b\":5}");
  }

  @Test
  void aMaskedFieldLeavesNoTraceInTheDigest() {
    Contents contents = contents(Recording.DIGEST, "pin");

    assertThat(contents.digestOfArguments(Json.of("{\"pin\": \"0000\"}")))
        .isEqualTo(contents.digestOfArguments(Json.of("{\"pin\": \"9999\"}")))
        .isNotEqualTo(contents.digestOfArguments(Json.of("{\"pun\": \"9999\"}")));
  }

  @Test
  void aKnownSecretIsTakenOutWhereverItStands() {
    Contents contents =
        new Contents(Recording.FULL, List.of(), Secrets.of(List.of("hunter2-hunter2")));

    assertThat(contents.kept(Json.of("{\"text\": \"it is hunter2-hunter2!\"}")))
        .isEqualTo("{\"text\":\"it is ***!\"}");
  }

  @Test
  void whatIsLearnedChangesNeitherADigestNorWhatIsSentAgain() {
    Json content = Json.of("{\"org\": \"acme-corp\", \"key\": \"hunter2-hunter2\"}");
    Secrets secrets = Secrets.of(List.of("hunter2-hunter2"));
    Contents contents = new Contents(Recording.FULL, List.of(), secrets);
    String digest = contents.digestOfArguments(content);
    Replay replay = contents.replay(content);
    assertThat(replay).isEqualTo(new Replay("{\"org\":\"acme-corp\",\"key\":\"***\"}", true));

    secrets.learn("crm", List.of(Secret.of("acme-corp")));

    assertThat(contents.digestOfArguments(content)).isEqualTo(digest);
    assertThat(contents.replay(content)).isEqualTo(replay);
    assertThat(contents.whole(Json.of("{\"org\": \"acme-corp\"}"))).isNotNull();
    assertThat(contents.kept(content)).isEqualTo("{\"org\":\"***\",\"key\":\"***\"}");
  }

  @Test
  void whatIsNoObjectIsKeptToo() {
    assertThat(contents(Recording.FULL, "a", "/0").kept(Json.of("[1, {\"a\": 2}]")))
        .isEqualTo("[\"***\",{\"a\":\"***\"}]");
    assertThat(contents(Recording.FULL, "a").kept(Json.text("plain"))).isEqualTo("\"plain\"");
  }

  private static Contents contents(Recording recording, String... mask) {
    return new Contents(recording, List.of(mask), Secrets.of(List.of()));
  }
}
