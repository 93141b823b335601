package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server said about a failure, as one short line: it ends in a record and in a model's
 * prompt, so a proxy's error page is reduced to what a person would read of it.
 */
public final class FailureText {
  /** The longest text that is kept, in characters. */
  public static final int MAX_CHARS = 300;

  /** What is looked at: an error page says what it has to say early. */
  private static final int LOOKED_AT_CHARS = 16_384;

  private static final List<String> MEMBERS =
      List.of("message", "error_description", "detail", "error", "title");

  private static final Pattern HTML =
      Pattern.compile("^\\s*(<!--.{0,999}-->\\s*)?<(!doctype\\s+html|html|head|body)\\b", flags());
  private static final Pattern TITLE = Pattern.compile("<title[^>]*>([^<]*)", flags());
  private static final Pattern HIDDEN =
      Pattern.compile("<(script|style|head)\\b.*?(</\\1>|\\z)|<!--.*?(-->|\\z)", flags());
  private static final Pattern TAG = Pattern.compile("<[^>]*(>|\\z)");
  private static final Pattern BLANK = Pattern.compile("[\\s\\p{Cntrl}\\u2028\\u2029]+");

  private FailureText() {}

  /** The body of an error answer in one line; empty when it says nothing. */
  public static String ofBody(byte[] body) {
    int length = Math.min(body.length, LOOKED_AT_CHARS);
    if (body.length <= LOOKED_AT_CHARS) {
      String said = said(body);
      if (said != null) {
        return of(said);
      }
    }
    return of(new String(body, 0, length, StandardCharsets.UTF_8));
  }

  /** A text in one line, a page of HTML as its title, at most {@link #MAX_CHARS} characters. */
  public static String of(String text) {
    String begin = text.substring(0, Math.min(text.length(), LOOKED_AT_CHARS));
    String plain = HTML.matcher(begin).find() ? ofPage(begin) : begin;
    String line = BLANK.matcher(plain).replaceAll(" ").strip();
    if (line.length() <= MAX_CHARS) {
      return line;
    }
    int cut = MAX_CHARS - 1;
    // A surrogate pair stays whole.
    return line.substring(0, Character.isHighSurrogate(line.charAt(cut - 1)) ? cut - 1 : cut) + "…";
  }

  private static String ofPage(String page) {
    Matcher title = TITLE.matcher(page);
    if (title.find() && !title.group(1).isBlank()) {
      return "a web page: " + title.group(1);
    }
    String text = TAG.matcher(HIDDEN.matcher(page).replaceAll(" ")).replaceAll(" ").strip();
    return text.isEmpty() ? "a web page" : "a web page: " + text;
  }

  /** The sentence that a JSON error body carries under one of the usual names. */
  private static @Nullable String said(byte[] body) {
    try {
      Json json = Json.parse(body);
      Json error = json.at("error");
      for (JsonObject members : List.of(members(error), members(json))) {
        for (String name : MEMBERS) {
          String text = members.text(name);
          if (text != null && !text.isBlank()) {
            return text;
          }
        }
      }
      return null;
    } catch (MalformedMessageException _) {
      return null;
    }
  }

  private static JsonObject members(@Nullable Json json) {
    return json == null ? JsonObject.EMPTY : json.asObject().orElse(JsonObject.EMPTY);
  }

  private static int flags() {
    return Pattern.CASE_INSENSITIVE | Pattern.DOTALL;
  }
}
