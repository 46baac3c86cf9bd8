import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { mountInternalLookUp, type InternalLookUpDeps } from './routes/internal-look-up';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What the dashboard's pages reach. Every path answers the documented 404. */
export function createApp(kernel: KernelDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: () => undefined });
}

/** What other services reach, on the private port. */
export function createInternalApp(kernel: KernelDeps, deps: InternalLookUpDeps) {
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
    mount: (app) => mountInternalLookUp(app, deps),
  });
}
