import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { mountCheckout, type CheckoutDeps } from './routes/checkout';
import { mountInternalClaims, type InternalClaimDeps } from './routes/internal-claims';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly trustedProxyCidrs?: readonly string[];
}

/** What customers reach. */
export function createApp(kernel: KernelDeps, deps: CheckoutDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: (app) => mountCheckout(app, deps) });
}

/** What other services reach, on the private port. */
export function createInternalApp(kernel: KernelDeps, deps: InternalClaimDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: (app) => mountInternalClaims(app, deps) });
}
