package dev.callbound.gateway.upstream.http;

import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves a host for a connection that is about to be made, and lets only allowed addresses
 * through. The client connects to exactly what comes back, so a name that resolves to something
 * else a moment later gains nothing. Thread-safe.
 */
final class CheckedResolver implements DnsResolver {
  /** More would only make a dead host take longer to fail. */
  private static final int MAX_ADDRESSES = 4;

  private final AddressCheck check;
  private final Duration timeout;

  /**
   * @param timeout how long a name may take to resolve
   */
  CheckedResolver(AddressCheck check, Duration timeout) {
    this.check = check;
    this.timeout = timeout;
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] found = lookup(host);
    InetAddress[] allowed =
        Arrays.stream(found).filter(check::allows).limit(MAX_ADDRESSES).toArray(InetAddress[]::new);
    if (allowed.length == 0) {
      throw new UnsafeAddressException(
          host
              + " leads to "
              + (found.length == 0 ? "no address" : found[0].getHostAddress())
              + ", which the configuration does not allow");
    }
    return allowed;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  /** The system's resolver does not heed interrupts, so it is asked on a thread of its own. */
  private InetAddress[] lookup(String host) throws UnknownHostException {
    FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> InetAddress.getAllByName(host));
    Thread.ofVirtual().name("resolve").start(lookup);
    try {
      return lookup.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw failed(host, new InterruptedIOException("interrupted"));
    } catch (TimeoutException e) {
      throw failed(host, e);
    } catch (ExecutionException e) {
      throw failed(host, e.getCause() == null ? e : e.getCause());
    }
  }

  private static UnknownHostException failed(String host, Throwable cause) {
    String why =
        cause instanceof TimeoutException ? " did not resolve in time" : " does not resolve";
    UnknownHostException failure = new UnknownHostException(host + why);
    failure.initCause(cause);
    return failure;
  }
}
