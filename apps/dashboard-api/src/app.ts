import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { mountApiDescription } from './api-description/api-description-routes';
import { mountAuth, type AuthDeps } from './sign-in/sign-in-routes';
import { mountDashboard, type DashboardDeps } from './dashboard-routes';
import { mountInternalLookUp, type InternalLookUpDeps } from './directory/internal-look-up-routes';
import { mountInternalPairing, type InternalPairingDeps } from './devices/internal-pairing-routes';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Networks of our own proxies; the client's address is the first one from the right that is in none of them. */
  readonly trustedProxyCidrs?: readonly string[];
}

/** What the public routes need, all together. Routes are mounted with `operationServer(app, { session })`. */
export type AppDeps = AuthDeps & DashboardDeps;

/** What the dashboard's pages reach. */
export function createApp(kernel: KernelDeps, deps: AppDeps) {
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
    mount: (app) => {
      mountAuth(app, deps);
      mountDashboard(app, deps);
      mountApiDescription(app);
    },
  });
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
