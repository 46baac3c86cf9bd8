import { BusinessError } from '@pay/contracts';
import type { EndpointAddress } from './endpoint-repository';
import { receiverOf } from '../domain/endpoint-url';

/**
 * The limit of one unverified endpoint per host and port prevents a merchant from multiplying requests to a host that
 * has not agreed. Disabled endpoints count too, so that enabling needs no check.
 */
export function assertAddressFree(url: string, others: readonly EndpointAddress[]): void {
  const receiver = receiverOf(url);
  const isTaken = others.some((other) => !other.isVerified && receiverOf(other.url) === receiver);
  if (isTaken) throw new BusinessError('ENDPOINT_HOST_UNVERIFIED');
}
