package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ground truth: what was really executed and what really arrived, in memory and, if a file is
 * given, as JSON lines on disk.
 *
 * <p>An entry is in the file before the call it belongs to goes on, so that it survives the death
 * of the process. Effects that an earlier life or another server wrote to the same file are taken
 * in; two servers that execute the same key at the same instant may both execute it, as two real
 * replicas without a common lock would.
 *
 * <p>Thread-safe. The lock is held while a line is appended: the order of the lines is the point.
 */
final class EffectLedger {
  private final ReentrantLock lock = new ReentrantLock();
  private final long startNanos = System.nanoTime();
  private final long pid = ProcessHandle.current().pid();
  private final @Nullable Path file;
  private final List<ObjectNode> effects = new ArrayList<>();
  private final List<ObjectNode> calls = new ArrayList<>();
  private final List<ObjectNode> events = new ArrayList<>();
  private long readTo;

  EffectLedger(@Nullable Path file) {
    this.file = file;
    locked(this::takeInFile);
  }

  /** How an effect was recognised. */
  enum Recognition {
    EXECUTED,
    REPLAYED,
    CONFLICT
  }

  /** An effect, and whether this call brought it about. */
  record Recorded(Recognition recognition, ObjectNode effect) {}

  /** Milliseconds since this ledger was opened, by the monotonic clock. */
  long millis() {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }

  void event(String kind, ObjectNode fields) {
    locked(() -> events.add(append(kind, fields)));
  }

  /** Executes a write: from here on it has happened. */
  Recorded execute(ObjectNode fields) {
    return executeUnless(effect -> false, fields);
  }

  /** Executes a write unless this key has been used and not expired. */
  Recorded executeKeyed(String key, ObjectNode fields) {
    return executeUnless(effect -> hasKey(effect, key), fields);
  }

  /** Executes a write unless there is one with this marker. */
  Recorded executeOnce(String marker, ObjectNode fields) {
    return executeUnless(effect -> marker.equals(effect.path("marker").asText(null)), fields);
  }

  boolean knows(String key) {
    return !matching(effect -> hasKey(effect, key)).isEmpty();
  }

  List<ObjectNode> withMarker(String marker) {
    return matching(effect -> marker.equals(effect.path("marker").asText(null)));
  }

  List<ObjectNode> effects() {
    return matching(effect -> true);
  }

  /** Notes a call that has arrived. */
  CallEntry call(ObjectNode fields) {
    lock.lock();
    try {
      ObjectNode entry = append("call", object("n", calls.size() + 1).setAll(fields));
      calls.add(entry);
      return new CallEntry(entry.path("n").asInt(), fields.path("tool").asText());
    } finally {
      lock.unlock();
    }
  }

  /** Notes how a call ended; only the first end counts. */
  void end(CallEntry call, String outcome) {
    locked(
        () -> {
          // A reset may have forgotten the call meanwhile.
          if (call.end(outcome) && call.n() <= calls.size()) {
            calls.get(call.n() - 1).put("outcome", outcome).put("endedMs", millis());
            append("end", object("n", call.n(), "tool", call.tool(), "outcome", outcome));
          }
        });
  }

  /** Forgets everything, on disk too. */
  void reset() {
    locked(
        () -> {
          effects.clear();
          calls.clear();
          events.clear();
          readTo = 0;
          if (file != null) {
            writeFile(file, new byte[0], false);
          }
        });
  }

  /** The whole ledger in the form of {@code GET /_ledger}; {@code server} describes the server. */
  ObjectNode report(ObjectNode server) {
    lock.lock();
    try {
      takeInFile();
      ObjectNode counts =
          object(
              "effects", effects.size(),
              "calls", calls.size(),
              "by_tool", countBy("tool", effects),
              "by_key", countBy("key", effects),
              "by_marker", countBy("marker", effects),
              "calls_by_tool", countBy("tool", calls));
      return object(
          "server", server.put("pid", pid).put("uptimeMs", millis()),
          "counts", counts,
          "effects", copies(effects),
          "calls", copies(calls),
          "events", copies(events));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private Recorded executeUnless(Predicate<ObjectNode> known, ObjectNode fields) {
    lock.lock();
    try {
      takeInFile();
      for (ObjectNode earlier : effects) {
        if (known.test(earlier)) {
          boolean same = earlier.path("fingerprint").equals(fields.path("fingerprint"));
          boolean conflict = fields.has("key") && earlier.has("key") && !same;
          return new Recorded(conflict ? Recognition.CONFLICT : Recognition.REPLAYED, earlier);
        }
      }
      String object = "obj-" + pid + "-" + UUID.randomUUID().toString().substring(0, 8);
      ObjectNode effect = append("effect", object("object", object).setAll(fields));
      effects.add(effect);
      return new Recorded(Recognition.EXECUTED, effect);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private List<ObjectNode> matching(Predicate<ObjectNode> wanted) {
    lock.lock();
    try {
      takeInFile();
      return effects.stream().filter(wanted).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private static boolean hasKey(ObjectNode effect, String key) {
    long expiresAt = effect.path("expiresAt").asLong(Long.MAX_VALUE);
    return key.equals(effect.path("key").asText(null)) && System.currentTimeMillis() < expiresAt;
  }

  private ObjectNode append(String kind, JsonNode fields) {
    ObjectNode entry =
        object("kind", kind, "at", Instant.now().toString(), "ms", millis(), "pid", pid);
    entry.setAll((ObjectNode) fields);
    if (file != null) {
      try {
        writeFile(file, (JsonRpc.text(entry) + "\n").getBytes(StandardCharsets.UTF_8), true);
      } catch (IOException e) {
        throw new UncheckedIOException("the ledger " + file + " cannot be written", e);
      }
    }
    return entry;
  }

  /** Writes by a stream and not by a channel, which an interrupted thread could not write to. */
  private static void writeFile(Path file, byte[] bytes, boolean append) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile(), append)) {
      out.write(bytes);
    }
  }

  /** Takes in the effects that somebody else has added to the file since the last look. */
  private void takeInFile() throws IOException {
    if (file == null || !Files.exists(file)) {
      return;
    }
    long size = Files.size(file);
    readTo = size < readTo ? 0 : readTo;
    if (size == readTo) {
      return;
    }
    byte[] fresh = new byte[Math.toIntExact(size - readTo)];
    try (RandomAccessFile reader = new RandomAccessFile(file.toFile(), "r")) {
      reader.seek(readTo);
      reader.readFully(fresh);
    }
    String text = new String(fresh, StandardCharsets.ISO_8859_1);
    int end = text.lastIndexOf('\n') + 1;
    readTo += end;
    for (String line : text.substring(0, end).lines().toList()) {
      if (line.contains("\"kind\":\"effect\"")) {
        // Taken apart as bytes, because an offset in the file is one in bytes; the text is UTF-8.
        ObjectNode effect = (ObjectNode) JsonRpc.read(line.getBytes(StandardCharsets.ISO_8859_1));
        if (effects.stream().noneMatch(e -> e.path("object").equals(effect.path("object")))) {
          effects.add(effect);
        }
      }
    }
  }

  private static Map<String, Integer> countBy(String field, List<ObjectNode> entries) {
    Map<String, Integer> counts = new TreeMap<>();
    for (ObjectNode entry : entries) {
      if (entry.hasNonNull(field)) {
        counts.merge(entry.path(field).asText(), 1, Integer::sum);
      }
    }
    return counts;
  }

  private static List<ObjectNode> copies(List<ObjectNode> entries) {
    return entries.stream().map(ObjectNode::deepCopy).toList();
  }

  private void locked(LedgerAction action) {
    lock.lock();
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private interface LedgerAction {
    void run() throws IOException;
  }
}
