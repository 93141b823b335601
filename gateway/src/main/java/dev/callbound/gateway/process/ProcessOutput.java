package dev.callbound.gateway.process;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A stream that a process writes, up to its very last byte.
 *
 * <p>When a process ends, a thread of the JDK's takes what is left in the pipe and puts it in the
 * pipe's place. A read that was waiting meanwhile sees the end of the pipe and not what was taken
 * from it, which then comes with the next read. So the first end of the stream is not believed
 * until that thread has had its time.
 */
public final class ProcessOutput extends InputStream {
  /** How long the process may take to end after its stream has. */
  private static final Duration EXIT_PATIENCE = Duration.ofMillis(100);

  /** How long the JDK's thread may take after the end of the process; it needs microseconds. */
  private static final Duration PUT_BACK_PATIENCE = Duration.ofMillis(50);

  private static final Duration INTERVAL = Duration.ofMillis(1);

  private final Process process;
  private final InputStream stream;

  /**
   * @param stream what the process writes, its output or its errors
   */
  public ProcessOutput(Process process, InputStream stream) {
    this.process = process;
    this.stream = stream;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    int read = stream.read(target, from, length);
    return read >= 0 ? read : readAfterEnd(target, from, length);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  private int readAfterEnd(byte[] target, int from, int length) throws IOException {
    if (!Family.awaitNot(process::isAlive, EXIT_PATIENCE)) {
      return -1;
    }
    long until = System.nanoTime() + PUT_BACK_PATIENCE.toNanos();
    int read = stream.read(target, from, length);
    while (read < 0 && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(INTERVAL.toNanos());
      read = stream.read(target, from, length);
    }
    return read;
  }
}
