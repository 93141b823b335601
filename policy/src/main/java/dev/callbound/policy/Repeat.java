package dev.callbound.policy;

/**
 * What a request gets whose intent was meant before.
 *
 * <p>The table, for a request that names a step or whose tool recognises a repeat, and for one that
 * does neither:
 *
 * <pre>
 *   the first                     step or recognition    neither
 *   there is none                 RUN                    RUN
 *   open                          JOIN                   JOIN
 *   ok                            REPLAY                 RUN
 *   stopped                       RUN                    RUN
 *   unknown                       ASK, or TOLD where     TOLD
 *                                 nothing can be asked
 *   open, other arguments         CONFLICT               CONFLICT
 *   ok, other arguments           CONFLICT               RUN
 *   unknown, other arguments      CONFLICT               CONFLICT
 * </pre>
 *
 * <p>A tool where equal arguments twice are two intents is never joined, replayed or told about
 * without a step. Other arguments under the same key, without a step, are possible where a target
 * names only some of the arguments.
 */
public enum Repeat {
  /** It is a call of its own. */
  RUN,
  /** It waits for the first, which is under way, and gets what that gets. */
  JOIN,
  /** It gets the recorded result of the first; nothing is sent. */
  REPLAY,
  /** It becomes a call that follows the first, and asks what became of it before it acts. */
  ASK,
  /** It gets the recorded {@code unknown} of the first; nothing is sent until that is settled. */
  TOLD,
  /** It is refused: the same step or key stands for other arguments. */
  CONFLICT;

  /** What became of the latest call with the same intent, or with the same step. */
  public enum First {
    /** There is none. */
    NONE,
    /** It is under way, here or, after a crash, about to be taken up. */
    OPEN,
    /** It ended, or was settled, {@code ok}. */
    OK,
    /** It ended, or was settled, {@code stopped}. */
    STOPPED,
    /** It ended {@code unknown}, and nobody has settled it. */
    UNKNOWN
  }

  /**
   * Decides. Pure.
   *
   * @param stepNamed whether the request names a step
   * @param recognition how the tool recognises a repeat
   * @param keyForgotten whether the provider has forgotten the key of the first since, so that it
   *     can't be asked any more; what is on record stays recognised
   * @param repeats whether equal arguments twice are two intents to this tool
   * @param sameArguments whether the request has the arguments of the first; of no meaning where
   *     there is none
   */
  public static Repeat decide(
      First first,
      boolean stepNamed,
      Recognition recognition,
      boolean keyForgotten,
      boolean repeats,
      boolean sameArguments) {
    if (repeats && !stepNamed) {
      return RUN;
    }
    boolean recognised = stepNamed || recognition != Recognition.NONE;
    boolean askable =
        switch (recognition) {
          case NONE -> false;
          case KEY -> !keyForgotten;
          case CHECK -> true;
        };
    return switch (first) {
      case NONE, STOPPED -> RUN;
      case OPEN -> sameArguments ? JOIN : CONFLICT;
      case OK -> !recognised ? RUN : sameArguments ? REPLAY : CONFLICT;
      case UNKNOWN -> !sameArguments ? CONFLICT : askable ? ASK : TOLD;
    };
  }
}
