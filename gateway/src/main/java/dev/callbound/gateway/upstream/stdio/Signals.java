package dev.callbound.gateway.upstream.stdio;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The two calls of the C library that Java has no method for: {@code kill(2)} for a whole process
 * group, and {@code waitpid(2)} for those of its members that became children of ours, which happens
 * where this process is the first of a container. Process ids are 32 bits wide there. Thread-safe.
 */
final class Signals {
  /** Asks to end. */
  static final int TERM = 15;

  /** Ends. */
  static final int KILL = 9;

  private static final int ONLY_ASK = 0;

  /** WNOHANG, which has this value on Linux, macOS and the BSDs. */
  private static final int WITHOUT_WAITING = 1;

  private static final @Nullable Signals SYSTEM = link();

  private final MethodHandle kill;
  private final MethodHandle waitpid;

  private Signals(MethodHandle kill, MethodHandle waitpid) {
    this.kill = kill;
    this.waitpid = waitpid;
  }

  /** Those of this system; empty where it has no process groups. */
  static Optional<Signals> ofSystem() {
    return Optional.ofNullable(SYSTEM);
  }

  /** Sends a signal to every member of a group; nothing happens if there is none. */
  void send(long group, int signal) {
    call(() -> (int) kill.invokeExact((int) -group, signal));
  }

  /** Whether the group has a member, be it one that has ended and that nobody has asked about. */
  boolean exists(long group) {
    return call(() -> (int) kill.invokeExact((int) -group, ONLY_ASK)) == 0;
  }

  /**
   * Takes note of the group's ended members that are our children. Not before its leader has been
   * waited for, which is for {@link Process} alone.
   */
  void reap(long group) {
    int reaped;
    do {
      reaped =
          call(() -> (int) waitpid.invokeExact((int) -group, MemorySegment.NULL, WITHOUT_WAITING));
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

  // Restricted because a wrong signature can crash the JVM; these are POSIX's own.
  @SuppressWarnings("restricted")
  private static @Nullable Signals link() {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> kill = linker.defaultLookup().find("kill");
    Optional<MemorySegment> waitpid = linker.defaultLookup().find("waitpid");
    if (kill.isEmpty() || waitpid.isEmpty()) {
      return null;
    }
    return new Signals(
        linker.downcallHandle(
            kill.get(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)),
        linker.downcallHandle(
            waitpid.get(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT)));
  }
}
