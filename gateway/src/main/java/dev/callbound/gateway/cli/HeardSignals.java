package dev.callbound.gateway.cli;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Signals of the operating system, each told by its number.
 *
 * <p>The JVM's shutdown hooks know the first only, and not which. {@code sun.misc.Signal} is
 * exported for this by {@code jdk.unsupported}, and reached by reflection because the compiler
 * warns of it in a way that can't be suppressed. Where it is missing, a signal ends the program at
 * once, as it always may.
 */
final class HeardSignals {
  private final IntConsumer listener;

  private HeardSignals(IntConsumer listener) {
    this.listener = listener;
  }

  /**
   * Listens for the rest of the program's life.
   *
   * @param names without SIG
   * @param listener told on a thread of the JVM, so must not block for long
   */
  static void listen(List<String> names, IntConsumer listener) {
    HeardSignals heard = new HeardSignals(listener);
    for (String name : names) {
      try {
        heard.listen(name);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        System.getLogger(HeardSignals.class.getName())
            .log(System.Logger.Level.DEBUG, "signal={0} heard=no {1}", name, e);
      }
    }
  }

  private void listen(String name) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object hear =
        MethodHandleProxies.asInterfaceInstance(
            handler,
            MethodHandles.lookup()
                .bind(this, "hear", MethodType.methodType(void.class, Object.class)));
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), hear);
  }

  /** A signal has come; called by reflection, on a thread of the JVM. */
  void hear(Object signal) throws ReflectiveOperationException {
    listener.accept((Integer) signal.getClass().getMethod("getNumber").invoke(signal));
  }
}
