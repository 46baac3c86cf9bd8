import { BusinessError, ERRORS, type ErrorCode } from '@pay/contracts';
import { ServiceCallFailed, ValidationError } from '@pay/http';

/**
 * Passes on the error of the service that owns the data, with its messages. If the service does not respond, the result
 * is 503.
 */
export async function answerOf<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    const { kind, status, code, sentences } = error;
    if (status === 429) throw new BusinessError('RATE_LIMITED');
    if (kind !== 'rejected') throw new BusinessError('SERVICE_UNAVAILABLE');
    if (isErrorCode(code)) throw new BusinessError(code, sentences[0]);
    if (status === 404) throw new BusinessError('NOT_FOUND');
    if (status === 400 && sentences.length > 0) throw new ValidationError(sentences);
    throw new BusinessError('SERVICE_UNAVAILABLE');
  }
}

/** For requests without an error that the user can correct: every failure becomes 503. */
export async function answerOrUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ServiceCallFailed) throw new BusinessError('SERVICE_UNAVAILABLE');
    throw error;
  }
}

/** UNAUTHORIZED of a service refers to the credential of this service and must not be passed on to the user. */
export function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && code !== 'UNAUTHORIZED' && code in ERRORS;
}
