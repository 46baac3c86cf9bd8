import { confirmCheckout, getCheckout, leaveCheckout } from '@pay/contracts';
import { operationServer, type Doors } from '@pay/http';
import { forgive } from '@pay/rate-limits';
import type { Express } from 'express';
import { cancelCheckout, type CancelCheckoutDeps } from '../cancel-checkout';
import { confirmPayment, type ConfirmPaymentDeps } from '../confirm-payment';
import { viewCheckout, type ViewCheckoutDeps } from '../view-checkout';

export type CheckoutDeps = ViewCheckoutDeps & ConfirmPaymentDeps & CancelCheckoutDeps & Pick<Doors, 'guard'>;

/** `/v1/checkout/:id`: public, for the customer of one intent. */
export function mountCheckout(app: Express, deps: CheckoutDeps): void {
  const serve = operationServer(app, deps.guard ? { guard: deps.guard } : {});

  serve(getCheckout, async ({ params }) => ({
    status: 200,
    body: await viewCheckout(deps, params.id),
  }));
  serve(confirmCheckout, async ({ params, body, res }) => {
    const answer = await confirmPayment(deps, { intentId: params.id, trxId: body.trxId });
    if (answer.matched) forgive(res);
    return { status: 200, body: answer };
  });
  serve(leaveCheckout, async ({ params }) => ({
    status: 200,
    body: await cancelCheckout(deps, params.id),
  }));
}
