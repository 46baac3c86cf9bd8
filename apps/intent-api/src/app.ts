import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { mountInternalIntents, type InternalIntentDeps } from './routes/internal-intents';
import { mountPaymentIntents, type PaymentIntentDeps } from './routes/payment-intents';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What merchants reach. */
export function createApp(kernel: KernelDeps, deps: PaymentIntentDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: (app) => mountPaymentIntents(app, deps) });
}

/** What other services reach, on the private port. */
export function createInternalApp(kernel: KernelDeps, deps: InternalIntentDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: (app) => mountInternalIntents(app, deps) });
}
