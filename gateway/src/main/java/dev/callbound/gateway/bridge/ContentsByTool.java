package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recording;
import dev.callbound.gateway.config.Secrets;
import dev.callbound.gateway.config.ToolConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the record keeps, for each way that tools are configured. Thread-safe. */
final class ContentsByTool {
  private record Kept(Recording recording, List<String> mask) {}

  private final Secrets secrets;
  private final Map<Kept, Contents> contents = new ConcurrentHashMap<>();

  ContentsByTool(Secrets secrets) {
    this.secrets = secrets;
  }

  Contents of(ToolConfig bounds) {
    return contents.computeIfAbsent(
        new Kept(bounds.record(), bounds.mask()),
        kept -> new Contents(kept.recording(), kept.mask(), secrets));
  }

  Secrets secrets() {
    return secrets;
  }
}
