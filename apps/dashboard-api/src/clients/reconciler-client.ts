import { BusinessError } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { isErrorCode } from './answer-of';

export type Reconciler = Pick<ServiceClient, 'request'>;

/** The reconciler responds after intent-api has applied the decision, or after two seconds. */
export const RECONCILER_TIMEOUT_MS = 5_000;

/** `ifSilent` is the error message if the reconciler does not respond. */
export async function askReconciler<T>(
  reconciler: Reconciler,
  ...[method, path, request, ifSilent]: [...Parameters<typeof reconciler.request<T>>, ifSilent?: string]
): Promise<T> {
  try {
    return await reconciler.request(method, path, request);
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    if (error.kind === 'rejected' && isErrorCode(error.code)) throw new BusinessError(error.code);
    throw new BusinessError('SERVICE_UNAVAILABLE', ifSilent);
  }
}
