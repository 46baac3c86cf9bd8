import { BusinessError } from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';

/** The answer of the service that owns the data; 404 where it has none, 503 while it does not answer. */
export async function answerOf<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    throw new BusinessError(error.kind === 'rejected' && error.status === 404 ? 'NOT_FOUND' : 'SERVICE_UNAVAILABLE');
  }
}
