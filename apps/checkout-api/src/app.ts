import { createKernel, internalRoutes, type KernelDeps, type PeerSecret } from '@pay/http';
import { isTemporaryFailure, type Database } from '@pay/persistence';
import type { Express } from 'express';
import { cancelCheckout } from './checkouts/cancel-checkout';
import { chooseMethod } from './checkouts/choose-method';
import { mountClaims, type ClaimRouteDeps } from './claims/claim-routes';
import { confirmPayment } from './claims/confirm-payment';
import { mountCheckout, type CheckoutDeps } from './checkouts/checkout-routes';
import { mountCheckoutPage } from './page/checkout-page-routes';
import { noteReturn } from './checkouts/note-return';
import { mountInternal } from './internal/internal-routes';
import { mountCheckoutEvents, type CheckoutEventDeps } from './live-status/checkout-event-routes';
import { viewCheckout } from './checkouts/view-checkout';

export type PeerSecrets = Readonly<Record<'reconciler' | 'dashboard-api', PeerSecret>>;

export type CustomerDeps = CheckoutDeps & ClaimRouteDeps & CheckoutEventDeps;

export function createApp(kernel: KernelDeps, deps: CustomerDeps) {
  return createKernel({ ...kernel, isUnavailable: isTemporaryFailure, mount: (app) => mountForCustomers(app, deps) });
}

function mountForCustomers(app: Express, deps: CustomerDeps): void {
  mountCheckout(app, deps);
  mountClaims(app, deps);
  mountCheckoutEvents(app, deps);
  mountCheckoutPage(app, {
    view: async (id) => (await viewCheckout(deps, id)).view,
    choose: (id, paymentMethod) => chooseMethod(deps, id, paymentMethod),
    confirm: (claim) => confirmPayment(deps, claim),
    cancel: (id) => cancelCheckout(deps, id),
    noteReturn: (id) => noteReturn(deps, id),
    guard: deps.guard,
  });
}

export function createInternalApp(
  kernel: KernelDeps,
  { db, peerSecrets }: { readonly db: Database; readonly peerSecrets: PeerSecrets },
) {
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      mountInternal(internalRoutes(app, 'checkout-api', peerSecrets), { db });
    },
  });
}
