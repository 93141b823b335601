package dev.callbound.gateway.config;

import java.util.List;

/**
 * Where the host of a server's URL may resolve to, besides public addresses: the ranges that the
 * config allows. An address in {@link #NEVER} stays forbidden even inside an allowed range.
 *
 * @param allowed private and loopback ranges that are allowed: the address that the config's own
 *     URL names literally, the loopback ranges where it names {@code localhost}, and those listed
 */
public record AddressRules(List<AddressRange> allowed) {
  /** Link-local ranges and the metadata services of clouds: never, whoever names them. */
  public static final List<AddressRange> NEVER =
      List.of(
          AddressRange.parse("169.254.0.0/16"),
          AddressRange.parse("fe80::/10"),
          AddressRange.parse("fd00:ec2::254"),
          AddressRange.parse("100.100.100.200"));

  /** Public addresses only. */
  public static final AddressRules PUBLIC_ONLY = new AddressRules(List.of());

  /** What {@code localhost} stands for. */
  static final List<AddressRange> LOOPBACK =
      List.of(AddressRange.parse("127.0.0.0/8"), AddressRange.parse("::1"));

  /** Every address, but for those that are never allowed. */
  static final List<AddressRange> ANYWHERE =
      List.of(AddressRange.parse("0.0.0.0/0"), AddressRange.parse("::/0"));

  public AddressRules {
    allowed = List.copyOf(allowed);
    for (AddressRange range : allowed) {
      if (isForbidden(range)) {
        throw new IllegalArgumentException("a link-local or metadata range: " + range);
      }
    }
  }

  /** Whether all of the range is forbidden, so that to allow it would be without effect. */
  static boolean isForbidden(AddressRange range) {
    return NEVER.stream().anyMatch(never -> never.contains(range));
  }
}
