import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** What an address is cut to that is none, because a proxy of ours names its clients otherwise. */
const LONGEST = 64;

/**
 * Who is counted as one client: the first hop from the right that is no proxy of ours (`trustedProxyCidrs` of the
 * kernel). An IPv6 address counts by its /64, the least that one subscriber is given; an IPv4 address in IPv6 form is
 * the IPv4 address.
 */
export function clientAddress(request: Request): string {
  return subscriberOf(request.ip ?? '');
}

/** Example: "2001:db8:1:2:3:4:5:6" gives "2001:db8:1:2::/64". */
export function subscriberOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return address.slice(0, LONGEST);
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
