import { ERRORS, type ErrorCode, BusinessError } from '@pay/contracts';
import { ServiceCallFailed, ValidationError } from '@pay/http';

/** The answer of the service that owns the data; its refusal is passed on with its sentences. */
export async function answerOfOwner<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    if (error.status === 429) throw new BusinessError('RATE_LIMITED');
    if (error.kind !== 'rejected') throw new BusinessError('SERVICE_UNAVAILABLE');
    if (isErrorCode(error.code)) throw new BusinessError(error.code, error.sentences[0]);
    if (error.status === 400 && error.sentences.length > 0) throw new ValidationError(error.sentences);
    throw new BusinessError('SERVICE_UNAVAILABLE');
  }
}

/** The credential of this service, which its person did not choose, is not among them. */
function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && code !== 'UNAUTHORIZED' && code in ERRORS;
}
