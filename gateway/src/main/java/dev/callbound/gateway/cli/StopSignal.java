package dev.callbound.gateway.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
  private static final int KILLED_BY_SIGNAL = 128;

  private StopSignal() {}

  /**
   * Listens for the rest of the program's life.
   *
   * @param first run on a thread of its own at the first signal
   */
  static void onFirst(Runnable first) {
    AtomicInteger heard = new AtomicInteger();
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              StopSignal.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      hear(heard, first, signal.getMethod("getNumber").invoke(arguments[0]));
                      yield null;
                    }
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> "callbound";
                  });
      for (String name : SIGNALS) {
        signal
            .getMethod("handle", signal, handlerType)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
      }
    } catch (ReflectiveOperationException e) {
      System.getLogger(StopSignal.class.getName())
          .log(System.Logger.Level.DEBUG, "signals=unheard {0}", cause(e));
    }
  }

  private static void hear(AtomicInteger heard, Runnable first, Object number) {
    if (heard.incrementAndGet() == 1) {
      Thread.ofPlatform().name("stop").start(first);
    } else {
      Runtime.getRuntime().halt(KILLED_BY_SIGNAL + (Integer) number);
    }
  }

  private static String cause(ReflectiveOperationException e) {
    return String.valueOf(e instanceof InvocationTargetException target ? target.getCause() : e);
  }
}
