import { CREDENTIALS, type CredentialKind } from '@pay/contracts';
import { ApiError } from './errors';

/**
 * The refusal of a request without a valid credential of this kind. It is the same for a missing, an unknown and a
 * disabled one.
 */
export function unauthorized(kind: CredentialKind): ApiError {
  const { refusal, challenge } = CREDENTIALS[kind];
  return new ApiError('UNAUTHORIZED', refusal, { 'WWW-Authenticate': challenge });
}
