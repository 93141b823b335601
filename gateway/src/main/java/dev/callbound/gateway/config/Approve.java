package dev.callbound.gateway.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which calls are not made before a person has said so. Immutable.
 *
 * @param destructive whether those are that may destroy something
 * @param tools those of these tools: names in which {@code *} stands for any characters
 */
public record Approve(boolean destructive, List<String> tools) {
  /** None. */
  public static final Approve NEVER = new Approve(false, List.of());

  private static final String NEVER_WORD = "never";
  private static final String ALWAYS_WORD = "required";
  private static final String DESTRUCTIVE_WORD = "destructive";
  private static final int LONGEST = 128;

  public Approve {
    tools = List.copyOf(tools);
  }

  /**
   * Whether a call of this tool is one of them.
   *
   * @param mayDestroy whether the tool may destroy something, as far as is known
   */
  public boolean isFor(String tool, boolean mayDestroy) {
    return (destructive && mayDestroy)
        || tools.stream().anyMatch(pattern -> matches(pattern, tool));
  }

  private static boolean matches(String pattern, String tool) {
    StringBuilder regex = new StringBuilder();
    for (String part : pattern.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(tool).matches();
  }

  /** Reads {@code never}, {@code required}, or a list such as {@code destructive, delete_*}. */
  static Approve parse(String text) throws FormatException {
    if (text.strip().equals(NEVER_WORD)) {
      return NEVER;
    }
    boolean destructive = false;
    List<String> tools = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      String word = item.strip();
      switch (word) {
        case ALWAYS_WORD -> tools.add("*");
        case DESTRUCTIVE_WORD -> destructive = true;
        case NEVER_WORD ->
            throw new FormatException("says never beside something else", "keep one of the two");
        default -> {
          if (word.isEmpty() || word.length() > LONGEST) {
            throw new FormatException(
                "names no tool", "write never, required, or a list such as destructive, delete_*");
          }
          tools.add(word);
        }
      }
    }
    return new Approve(destructive, tools);
  }

  @Override
  public String toString() {
    if (equals(NEVER)) {
      return NEVER_WORD;
    }
    List<String> words = new ArrayList<>(destructive ? List.of(DESTRUCTIVE_WORD) : List.of());
    tools.forEach(tool -> words.add(tool.equals("*") ? ALWAYS_WORD : tool));
    return String.join(", ", words);
  }
}
