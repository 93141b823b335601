package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.AddressRange;
import dev.callbound.gateway.config.AddressRules;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether an address may be connected to. Link-local and metadata addresses never; addresses that
 * are not on the public internet only where the config allows them; all others always. Immutable.
 */
final class AddressCheck {
  /** Ranges that are not globally reachable (IANA special-purpose registries, RFC 6890). */
  private static final List<AddressRange> NOT_PUBLIC =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "224.0.0.0/4",
              "240.0.0.0/4",
              "::/127",
              "fc00::/7",
              "fec0::/10",
              "ff00::/8")
          .map(AddressRange::parse)
          .toList();

  /** Prefixes of IPv6 addresses that carry an IPv4 address, and where in them it stands. */
  private static final List<Embedding> EMBEDDINGS =
      List.of(
          // IPv4-compatible (RFC 4291 §2.5.5.1); the mapped form is Java's own Inet4Address.
          new Embedding(AddressRange.parse("::/96"), 12),
          // NAT64 (RFC 6052).
          new Embedding(AddressRange.parse("64:ff9b::/96"), 12),
          // 6to4 (RFC 3056).
          new Embedding(AddressRange.parse("2002::/16"), 2));

  private final List<AddressRange> allowed;

  AddressCheck(AddressRules rules) {
    this.allowed = rules.allowed();
  }

  /** Whether the config lets us connect to it. */
  boolean allows(InetAddress address) {
    InetAddress meant = meant(address);
    if (within(AddressRules.NEVER, address) || within(AddressRules.NEVER, meant)) {
      return false;
    }
    boolean reserved = within(NOT_PUBLIC, address) || within(NOT_PUBLIC, meant);
    return !reserved || within(allowed, address) || within(allowed, meant);
  }

  private static boolean within(List<AddressRange> ranges, InetAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  /** The IPv4 address that an IPv6 address carries; else the address itself. */
  private static InetAddress meant(InetAddress address) {
    if (address instanceof Inet6Address) {
      for (Embedding embedding : EMBEDDINGS) {
        if (embedding.prefix().contains(address)) {
          return embedding.inner(address.getAddress());
        }
      }
    }
    return address;
  }

  private record Embedding(AddressRange prefix, int at) {
    InetAddress inner(byte[] bytes) {
      try {
        return InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + 4));
      } catch (UnknownHostException e) {
        throw new IllegalStateException("four bytes are an address", e);
      }
    }
  }
}
