package dev.callbound.gateway.cli;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * SIGTERM and SIGINT: the first asks the program to stop, the second ends it at once.
 *
 * <p>The JVM's shutdown hooks know the first only. {@code sun.misc.Signal} is exported for this by
 * {@code jdk.unsupported}, and reached by reflection because the compiler warns of it in a way that
 * can't be suppressed. Where it is missing, a signal ends the program at once, as it always may.
 */
final class StopSignal {
  private static final List<String> SIGNALS = List.of("TERM", "INT");

  /** What a shell adds the signal's number to. */
  private static final int KILLED = 128;

  private final AtomicInteger heard = new AtomicInteger();
  private final Runnable first;

  private StopSignal(Runnable first) {
    this.first = first;
  }

  /**
   * Listens for the rest of the program's life.
   *
   * @param first run on a thread of its own at the first signal
   */
  static void onFirst(Runnable first) {
    try {
      listen(new StopSignal(first));
    } catch (ReflectiveOperationException e) {
      System.getLogger(StopSignal.class.getName())
          .log(System.Logger.Level.DEBUG, "signals=unheard {0}", e);
    }
  }

  private static void listen(StopSignal stop) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object hear =
        MethodHandleProxies.asInterfaceInstance(
            handler,
            MethodHandles.lookup()
                .bind(stop, "hear", MethodType.methodType(void.class, Object.class)));
    for (String name : SIGNALS) {
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), hear);
    }
  }

  /** A signal has come; called by reflection, on a thread of the JVM. */
  void hear(Object signal) throws ReflectiveOperationException {
    if (heard.incrementAndGet() == 1) {
      Thread.ofPlatform().name("stop").start(first);
    } else {
      int number = (Integer) signal.getClass().getMethod("getNumber").invoke(signal);
      Runtime.getRuntime().halt(KILLED + number);
    }
  }
}
