import { createKernel, type SessionDoor } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { mountInternalLookUp, type InternalLookUpDeps } from './routes/internal-look-up';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What the public routes need, all together. Routes are mounted with `operationServer(app, { session })`. */
export interface AppDeps {
  readonly session: SessionDoor;
}

/** What the dashboard's pages reach. */
export function createApp(kernel: KernelDeps, _deps: AppDeps) {
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
