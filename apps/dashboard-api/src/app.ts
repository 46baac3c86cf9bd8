import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { mountDashboard, type DashboardDeps } from './routes/dashboard';
import { mountInternalLookUp, type InternalLookUpDeps } from './routes/internal-look-up';
import { mountInternalPairing, type InternalPairingDeps } from './routes/internal-pairing';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What the public routes need, all together. Routes are mounted with `operationServer(app, { session })`. */
export type AppDeps = DashboardDeps;

/** What the dashboard's pages reach. */
export function createApp(kernel: KernelDeps, deps: AppDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: (app) => mountDashboard(app, deps) });
}

/** What other services reach, on the private port. */
export function createInternalApp(kernel: KernelDeps, deps: InternalLookUpDeps & InternalPairingDeps) {
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
    mount: (app) => {
      mountInternalLookUp(app, deps);
      mountInternalPairing(app, deps);
    },
  });
}
