package dev.callbound.gateway.config;

import dev.callbound.policy.Recognition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a repeat of one tool's calls is recognised, and all that it takes to do so. */
public sealed interface Recognise {
  /** What stands for a call's key in the texts of markers and checks. */
  String KEY = "{key}";

  /** Which of the three ways it is. */
  default Recognition kind() {
    return switch (this) {
      case Nothing _ -> Recognition.NONE;
      case ByKey _ -> Recognition.KEY;
      case ByCheck _ -> Recognition.CHECK;
    };
  }

  /** By nothing: a write that may have happened is not sent again. */
  record Nothing() implements Recognise {}

  /**
   * By a key that the tool takes.
   *
   * @param name the argument's, the {@code _meta} field's, the header's or the parameter's
   * @param expires how long the server remembers a key, from the first attempt that may have run;
   *     more than zero, and null means for ever
   */
  record ByKey(Carrier carrier, String name, @Nullable Duration expires) implements Recognise {
    public ByKey {
      notEmpty("name of the key", name);
      if (expires != null) {
        Positive.check("expires", expires);
      }
    }
  }

  /** Where the key travels. */
  enum Carrier {
    /** In {@code params.arguments}, as a field that the model doesn't see. */
    ARGUMENT,
    /** In {@code params._meta}. */
    META,
    /** As a header of the request; over HTTP alone. */
    HEADER,
    /** In {@code params} itself, as {@code idempotencyKey}. */
    PARAM
  }

  /**
   * By asking another tool of the same server whether the effect is there.
   *
   * @param marker how the key gets into the effect; null if the check finds the effect by what it
   *     is
   */
  record ByCheck(@Nullable Marker marker, Probe check) implements Recognise {
    public ByCheck {
      if (marker == null && check.found() == null) {
        throw new IllegalArgumentException("a check without a marker must say what is found");
      }
      if (marker == null && check.found() != null && check.found().isKey()) {
        throw new IllegalArgumentException("a check can find a key only where a marker carries it");
      }
    }
  }

  /**
   * How a key becomes part of what a call leaves behind.
   *
   * @param argument the argument, a text, that carries it
   * @param append whether the text is added at the argument's end; else it is the argument
   * @param text what carries it, with {@value #KEY} in it
   */
  record Marker(String argument, boolean append, String text) {
    public Marker {
      notEmpty("argument of the marker", argument);
      if (!text.contains(KEY)) {
        throw new IllegalArgumentException("a marker must hold " + KEY + ": " + text);
      }
    }

    /** What stands in the argument for a call with this key. */
    public String with(String key) {
      return text.replace(KEY, key);
    }
  }

  /**
   * The question: a call of a tool that reads.
   *
   * @param tool a tool of the same server
   * @param arguments the question's arguments, a JSON object. In its texts <code>{/POINTER}</code>
   *     stands for the value there in the call's own arguments (the value itself where it is the
   *     whole text), and {@value Recognise#KEY} for the key
   * @param pages how further pages are asked for; null if the first answer is all
   * @param found where in the answer the effect shows; null means that the marker shows anywhere
   * @param settlesAfter how long after an attempt its absence begins to mean anything; then it must
   *     be absent twice. Null means that what is done shows at once
   * @param deadline how long one question may take
   * @param attempts how often one question may be asked until it is answered
   */
  record Probe(
      String tool,
      String arguments,
      @Nullable Pages pages,
      @Nullable Found found,
      @Nullable Duration settlesAfter,
      Duration deadline,
      int attempts) {
    public Probe {
      notEmpty("tool of the check", tool);
      Positive.check("deadline of the check", deadline);
      Positive.check("attempts of the check", attempts);
      if (settlesAfter != null) {
        Positive.check("settles after", settlesAfter);
      }
    }
  }

  /**
   * How the pages of an answer follow one another.
   *
   * @param cursor a JSON pointer into an answer, to what asks for the next page; where there is
   *     nothing, null or an empty text, that was the last
   * @param argument the question's argument that takes it
   * @param most how many pages are read; more mean that there was no clear answer
   */
  record Pages(String cursor, String argument, int most) {
    public Pages {
      pointer("cursor", cursor);
      notEmpty("argument of the pages", argument);
      Positive.check("most pages", most);
    }
  }

  /**
   * What shows that the effect is there.
   *
   * @param at a JSON pointer into an answer; {@code *} in it stands for every element of a list or
   *     field of an object
   * @param equals what the value there is for the effect of this call: a JSON pointer into the
   *     call's own arguments, or {@value Recognise#KEY} for the marker's text. Null means whatever
   *     is there: a list is as many effects as it has elements, a number as many as it says, and
   *     false, null and an empty text are none
   */
  record Found(String at, @Nullable String equals) {
    public Found {
      pointer("at", at);
      if (equals != null && !equals.equals(KEY)) {
        pointer("equals", equals);
      }
    }

    /** Whether it is the marker that is looked for. */
    boolean isKey() {
      return KEY.equals(equals);
    }
  }

  private static void notEmpty(String what, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("the " + what + " must not be empty");
    }
  }

  private static void pointer(String what, String value) {
    if (!value.startsWith("/")) {
      throw new IllegalArgumentException(
          what + " must be a JSON pointer, which begins with /: " + value);
    }
  }
}
