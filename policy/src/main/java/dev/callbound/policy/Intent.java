package dev.callbound.policy;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a call means to do. Two calls with the same intent are the same call, whoever carries the
 * second one and however it comes: nothing of transport, time, attempt or credential is in it.
 * Immutable.
 *
 * @param principal who means it; keys of two principals never meet
 * @param run the run that it belongs to
 * @param step the client's own name for the place in its work; null where it names none, which is
 *     not the same as an empty name
 * @param server the server, by its name in the configuration
 * @param tool the tool, by its name at that server
 * @param target what it is done to: the arguments, or those of them that say so, as canonical JSON
 *     (RFC 8785)
 */
public record Intent(
    String principal,
    String run,
    @Nullable String step,
    String server,
    String tool,
    String target) {

  /** In place of the length of a step that is missing; no step is so long. */
  private static final int MISSING = 0xFFFF_FFFF;

  /**
   * The key: 36 characters that stand for this intent in every process and for all time.
   *
   * <p>SHA-256 over the fields in their order, each as a length of four bytes, the highest first,
   * and so many bytes of UTF-8; a missing step is the length {@code 0xFFFFFFFF} and nothing after
   * it. The first 16 bytes of the digest are written as a UUID of version 8 (RFC 9562, 5.8), which
   * fits the limit of every provider that takes a key.
   */
  public String key() {
    MessageDigest digest = sha256();
    update(digest, principal);
    update(digest, run);
    update(digest, step);
    update(digest, server);
    update(digest, tool);
    update(digest, target);
    ByteBuffer first = ByteBuffer.wrap(digest.digest());
    long high = (first.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
    long low = (first.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }

  private static void update(MessageDigest digest, @Nullable String field) {
    if (field == null) {
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(MISSING).flip());
      return;
    }
    byte[] bytes = utf8(field);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
    digest.update(bytes);
  }

  /**
   * UTF-8, and half a surrogate pair by the same scheme. The JDK's encoder writes every such half
   * as a question mark, and two intents that differ would share a key.
   */
  private static byte[] utf8(String field) {
    // Three bytes at most for each char; a pair of chars takes four.
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(field.length(), 3));
    field
        .codePoints()
        .forEach(
            point -> {
              if (point < 0x80) {
                bytes.put((byte) point);
              } else if (point < 0x800) {
                bytes.put((byte) (0xC0 | point >> 6));
                bytes.put(tail(point));
              } else if (point < 0x1_0000) {
                bytes.put((byte) (0xE0 | point >> 12));
                bytes.put(tail(point >> 6)).put(tail(point));
              } else {
                bytes.put((byte) (0xF0 | point >> 18));
                bytes.put(tail(point >> 12)).put(tail(point >> 6)).put(tail(point));
              }
            });
    byte[] encoded = new byte[bytes.position()];
    bytes.flip().get(encoded);
    return encoded;
  }

  private static byte tail(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
