import { CREDENTIALS, type CredentialKind } from '@pay/contracts';
import { ApiError } from './errors';

/** The same response for a missing, an unknown and a disabled credential. */
export function unauthorized(kind: CredentialKind): ApiError {
  const { refusal, challenge } = CREDENTIALS[kind];
  return new ApiError('UNAUTHORIZED', refusal, { 'WWW-Authenticate': challenge });
}
