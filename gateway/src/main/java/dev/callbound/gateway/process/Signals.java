package dev.callbound.gateway.process;

import java.io.File;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The two calls of the C library that Java has no method for: {@code kill(2)} for a whole process
 * group, and {@code waitpid(2)} for those of its members that became children of ours, which
 * happens where this process is the first of a container. Process ids are 32 bits wide there.
 * Thread-safe.
 */
final class Signals {
  /** Asks to end. */
  static final int TERM = 15;

  /** Ends. */
  static final int KILL = 9;

  private static final int ONLY_ASK = 0;

  /** WNOHANG, which has this value on Linux, macOS and the BSDs. */
  private static final int WITHOUT_WAITING = 1;

  private static final Signals SYSTEM = new Signals();

  private Signals() {}

  /** Those of this system; empty where it has no process groups. */
  static Optional<Signals> ofSystem() {
    return File.separatorChar == '/' ? Optional.of(SYSTEM) : Optional.empty();
  }

  /** Sends a signal to every member of a group; nothing happens if there is none. */
  void send(long group, int signal) {
    call(() -> (int) Functions.KILL.invokeExact((int) -group, signal));
  }

  /** Whether the group has a member, be it one that has ended and that nobody has asked about. */
  boolean exists(long group) {
    return call(() -> (int) Functions.KILL.invokeExact((int) -group, ONLY_ASK)) == 0;
  }

  /**
   * Takes note of the group's ended members that are our children. Not before its leader has been
   * waited for, which is for {@link Process} alone.
   */
  void reap(long group) {
    int reaped;
    do {
      reaped =
          call(
              () ->
                  (int)
                      Functions.WAITPID.invokeExact(
                          (int) -group, MemorySegment.NULL, WITHOUT_WAITING));
    } while (reaped > 0);
  }

  private interface NativeCall {
    // What MethodHandle.invokeExact declares.
    int make() throws Throwable;
  }

  private static int call(NativeCall call) {
    try {
      return call.make();
    } catch (Throwable e) {
      throw new IllegalStateException("a call into the C library failed to be made", e);
    }
  }

  /**
   * The functions themselves, linked when the first is called: that takes a while, and a process
   * that ends when its input does is never signalled.
   */
  private static final class Functions {
    private static final MethodHandle KILL =
        link(
            "kill",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private static final MethodHandle WAITPID =
        link(
            "waitpid",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT));

    private Functions() {}

    // Restricted because a wrong signature can crash the JVM; these are POSIX's own.
    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor signature) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
    }
  }
}
