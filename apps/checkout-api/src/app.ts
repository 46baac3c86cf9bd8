import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import type { Express } from 'express';
import { cancelCheckout } from './cancel-checkout';
import { chooseMethod } from './choose-method';
import { confirmPayment } from './confirm-payment';
import { mountCheckout, type CheckoutDeps } from './routes/checkout';
import { mountCheckoutPage } from './routes/checkout-page';
import { mountInternalClaims, type InternalClaimDeps } from './routes/internal-claims';
import { viewCheckout } from './view-checkout';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly trustedProxyCidrs?: readonly string[];
}

/** What customers reach. */
export function createApp(kernel: KernelDeps, deps: CheckoutDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: (app) => mountForCustomers(app, deps) });
}

/** The API, and the page that does the same for a browser. */
function mountForCustomers(app: Express, deps: CheckoutDeps): void {
  mountCheckout(app, deps);
  mountCheckoutPage(app, {
    view: async (id) => (await viewCheckout(deps, id)).view,
    choose: (id, paymentMethod) => chooseMethod(deps, id, paymentMethod),
    confirm: (claim) => confirmPayment(deps, claim),
    cancel: (id) => cancelCheckout(deps, id),
    guard: deps.guard,
  });
}

/** What other services reach, on the private port. */
export function createInternalApp(kernel: KernelDeps, deps: InternalClaimDeps) {
  return createKernel({ ...kernel, isUnavailable: isConnectionLoss, mount: (app) => mountInternalClaims(app, deps) });
}
