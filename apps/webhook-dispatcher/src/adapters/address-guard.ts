import type { Environment } from '@pay/contracts';
import ipaddr from 'ipaddr.js';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** The host agent of Azure, from which virtual machines read their settings. */
const AZURE_AGENT = '168.63.129.16';
/** All of IPv6 that is allocated for the public internet. Excludes compatible forms and translated IPv4 addresses. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

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
      // The library knows the special-purpose registries of IANA; everything else is unicast.
      if (address.range() !== 'unicast') return false;
      return address.kind() === 'ipv4' ? address.toString() !== AZURE_AGENT : isWithin(address, GLOBAL_UNICAST);
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
