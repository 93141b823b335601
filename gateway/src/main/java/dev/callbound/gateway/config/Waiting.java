package dev.callbound.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the client of a tool's call waits for it, and whether the call waits for a person.
 *
 * @param detachAfter after how long a client is told to come back; null means that it waits as long
 *     as the call takes
 * @param approve which calls wait for a person
 * @param approveWithin for how long they do; more than zero
 */
public record Waiting(@Nullable Duration detachAfter, Approve approve, Duration approveWithin) {
  public Waiting {
    if (detachAfter != null) {
      Positive.check("detach after", detachAfter);
    }
    Positive.check("approve within", approveWithin);
  }
}
