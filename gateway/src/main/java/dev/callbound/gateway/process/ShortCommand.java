package dev.callbound.gateway.process;

import java.io.IOException;
import java.time.Duration;

/**
 * Runs a command for the little that it prints, in bounded time and memory. It gets no input, and
 * whatever it started is gone when this returns, as far as {@link Family} can see to that.
 */
public final class ShortCommand {
  /** How long the family has to end when it is asked to, before it is killed. */
  private static final Duration GRACE = Duration.ofMillis(500);

  /** How long what it wrote may take to be read, once it has ended: both streams together. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** How much of the end of its standard error is kept. */
  private static final int ERROR_BYTES = 4_096;

  private ShortCommand() {}

  /** How a command ended. */
  public sealed interface End {
    /**
     * By itself.
     *
     * @param output all that it printed
     * @param lastError the last line of its standard error that is not blank; empty for none
     */
    record Exited(int code, String output, String lastError) implements End {
      /** Without the output, which may be a secret. */
      @Override
      public String toString() {
        return "Exited[" + code + "]";
      }
    }

    /** It printed more than is taken, and may have been ended for its limit as well. */
    record TooMuch() implements End {}

    /**
     * It was still running at its limit, and was ended.
     *
     * @param output all that it had printed by then
     * @param lastError as in {@link Exited}
     */
    record CutOff(String output, String lastError) implements End {
      /** As in {@link Exited}. */
      @Override
      public String toString() {
        return "CutOff[]";
      }
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param builder what to run; its streams are taken over
   * @param limit how long it may take
   * @param maxBytes how much it may print
   * @throws IOException if it can't be started; the message says why, without the arguments
   * @throws InterruptedException when the thread was interrupted; the command has been ended
   */
  public static End run(ProcessBuilder builder, Duration limit, int maxBytes)
      throws IOException, InterruptedException {
    Leader leader = Leader.start(builder);
    Process process = leader.process();
    try (Drain output = Drain.ofBegin(process.getInputStream(), maxBytes);
        Drain errors = Drain.ofEnd(process.getErrorStream(), ERROR_BYTES)) {
      process.getOutputStream().close();
      boolean exited = process.waitFor(limit);
      // First of all: what it leaves running may go on writing.
      leader.family().end(GRACE);
      long until = System.nanoTime() + LAST_WORDS.toNanos();
      output.finish();
      errors.finish();
      output.awaitEnd(until);
      errors.awaitEnd(until);
      if (output.bytes() > maxBytes) {
        return new End.TooMuch();
      }
      return exited
          ? new End.Exited(process.exitValue(), output.text(), errors.lastLine())
          : new End.CutOff(output.text(), errors.lastLine());
    } finally {
      leader.family().end(GRACE);
    }
  }
}
