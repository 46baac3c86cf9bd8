import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** A trusted proxy may name a client with other text than an address. */
const LONGEST = 64;

/**
 * The client of a request: the last hop that is not a trusted proxy (`trustedProxyCidrs` of the kernel). IPv6 addresses
 * are reduced to their /64, the smallest network of one subscriber, and IPv4-mapped addresses to IPv4.
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
