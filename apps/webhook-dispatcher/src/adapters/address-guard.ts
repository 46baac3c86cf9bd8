import type { Environment } from '@pay/contracts';
import ipaddr from 'ipaddr.js';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

const ranges = (...cidrs: string[]): Range[] => cidrs.map((cidr) => ipaddr.parseCIDR(cidr));

/**
 * IPv4 ranges outside the public internet (IANA special-purpose registry, multicast, reserved, broadcast), and the host
 * agent of Azure, from which virtual machines read their settings.
 */
const IPV4_DENIED = ranges(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

/**
 * IPv6 allows global unicast except its tunnel and documentation ranges. This excludes loopback, mapped and compatible
 * forms, NAT64, local and multicast addresses without listing them.
 */
const IPV6_ALLOWED = ranges('2000::/3');
const IPV6_DENIED = ranges('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

export interface AddressGuard {
  /** Whether a connection to this IP address may be opened for an endpoint of this environment. */
  allows(address: string, environment: Environment): boolean;
  /** Accepts names and allowed addresses. Needs no DNS query. */
  allowsHost(hostname: string, environment: Environment): boolean;
}

/**
 * Checks addresses at registration and at every connect; `sandboxCidrs` allows ranges for SANDBOX only. Throws a
 * RangeError for an invalid CIDR range.
 */
export function createAddressGuard(sandboxCidrs: readonly string[]): AddressGuard {
  const opened = sandboxCidrs.map((cidr) => parseCidr(cidr));
  const guard: AddressGuard = {
    allows(text, environment) {
      const address = parseAddress(text);
      if (address === undefined) return false;
      if (environment === 'SANDBOX' && opened.some((range) => isWithin(address, range))) return true;
      return address.kind() === 'ipv4'
        ? !IPV4_DENIED.some((range) => isWithin(address, range))
        : IPV6_ALLOWED.some((range) => isWithin(address, range)) &&
            !IPV6_DENIED.some((range) => isWithin(address, range));
    },
    allowsHost(hostname, environment) {
      const address = isLocalName(hostname) ? LOCALHOST : literalAddress(hostname);
      return address === undefined || guard.allows(address, environment);
    },
  };
  return guard;
}

export function parseCidr(text: string): Range {
  if (!ipaddr.isValidCIDR(text)) throw new RangeError(`${text} is not a CIDR range such as 127.0.0.1/32`);
  return ipaddr.parseCIDR(text);
}

/** Example: `::1` for `[::1]`. Undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : undefined;
}

export const LOCALHOST = '127.0.0.1';

/** `localhost` and its subdomains always refer to this machine (RFC 6761), regardless of the resolver. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Mapped addresses are checked as their IPv4 address. Only link-local addresses have a zone id. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.includes('%')) return undefined;
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.process(text);
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}
