import { BusinessError } from '@pay/contracts';
import type { EndpointAddress } from './endpoint-repository';
import { receiverOf } from '../domain/endpoint-url';

/**
 * Throws where another endpoint of the tenant has this host and port and is not verified: unverified endpoints must not
 * multiply the requests to a host that never agreed. Switched-off endpoints count too, so that switching on needs no
 * check of its own.
 */
export function assertAddressFree(url: string, others: readonly EndpointAddress[]): void {
  const receiver = receiverOf(url);
  const isTaken = others.some((other) => !other.isVerified && receiverOf(other.url) === receiver);
  if (isTaken) throw new BusinessError('ENDPOINT_HOST_UNVERIFIED');
}
