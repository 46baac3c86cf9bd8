import { BusinessError } from '@pay/contracts';
import type { EndpointAddress } from './endpoint-repository';
import { receiverOf } from '../domain/endpoint-url';

/**
 * Throws if another unverified endpoint of the tenant has this host and port: unverified endpoints must not multiply
 * requests to a host that never agreed. Disabled endpoints count too, so that enabling needs no check.
 */
export function assertAddressFree(url: string, others: readonly EndpointAddress[]): void {
  const receiver = receiverOf(url);
  const isTaken = others.some((other) => !other.isVerified && receiverOf(other.url) === receiver);
  if (isTaken) throw new BusinessError('ENDPOINT_HOST_UNVERIFIED');
}
