import { REFUSAL_DETAILS, type Environment } from '@pay/contracts';
import { ValidationError } from '@pay/http';
import type { AddressGuard } from '../adapters/address-guard';
import { checkEndpointUrl } from '../domain/endpoint-url';

/** Only for a clear error message: the authoritative check runs at every connect. Throws a ValidationError. */
export function admitUrl(guard: AddressGuard, url: string, environment: Environment): void {
  const check = checkEndpointUrl(url, environment);
  if (!check.ok) throw new ValidationError([check.problem]);
  if (!guard.allowsHost(check.url.hostname, environment)) {
    throw new ValidationError([REFUSAL_DETAILS.urlNotPublic]);
  }
}
