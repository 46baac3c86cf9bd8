import { confirmCheckout, getCheckout, leaveCheckout } from '@pay/contracts';
import { operationServer } from '@pay/http';
import type { Express } from 'express';
import { cancelCheckout, type CancelCheckoutDeps } from '../cancel-checkout';
import { confirmPayment, type ConfirmPaymentDeps } from '../confirm-payment';
import { viewCheckout, type ViewCheckoutDeps } from '../view-checkout';

export type CheckoutDeps = ViewCheckoutDeps & ConfirmPaymentDeps & CancelCheckoutDeps;

/** `/v1/checkout/:id`: public, for the customer of one intent. */
export function mountCheckout(app: Express, deps: CheckoutDeps): void {
  const serve = operationServer(app, {});

  serve(getCheckout, async ({ params }) => ({
    status: 200,
    body: await viewCheckout(deps, params.id),
  }));
  serve(confirmCheckout, async ({ params, body }) => ({
    status: 200,
    body: await confirmPayment(deps, { intentId: params.id, trxId: body.trxId }),
  }));
  serve(leaveCheckout, async ({ params }) => ({
    status: 200,
    body: await cancelCheckout(deps, params.id),
  }));
}
