package dev.callbound.gateway.config;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * A range of IP addresses, as in {@code 10.0.0.0/8}. An IPv4 address and its IPv6-mapped form are
 * the same address.
 *
 * @param base an address of the range
 * @param bits how many leading bits of it count; 0 to 32 for IPv4, 0 to 128 for IPv6
 */
public record AddressRange(InetAddress base, int bits) {
  public AddressRange {
    int most = base.getAddress().length * Byte.SIZE;
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException("prefix length must be 0 to " + most + ": " + bits);
    }
  }

  /**
   * Reads {@code ADDRESS} or {@code ADDRESS/BITS}. Never looks a name up.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    InetAddress base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
    int most = base.getAddress().length * Byte.SIZE;
    return new AddressRange(base, slash < 0 ? most : Integer.parseInt(text.substring(slash + 1)));
  }

  /** Whether the address lies in this range. */
  public boolean contains(InetAddress address) {
    byte[] ours = base.getAddress();
    byte[] theirs = address.getAddress();
    if (ours.length != theirs.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    if (!Arrays.equals(ours, 0, whole, theirs, 0, whole)) {
      return false;
    }
    int rest = Byte.SIZE - bits % Byte.SIZE;
    return rest == Byte.SIZE || (ours[whole] ^ theirs[whole]) >> rest == 0;
  }

  /** Whether all of the other range lies in this one. */
  public boolean contains(AddressRange other) {
    return bits <= other.bits && contains(other.base);
  }

  @Override
  public String toString() {
    return base.getHostAddress() + "/" + bits;
  }
}
