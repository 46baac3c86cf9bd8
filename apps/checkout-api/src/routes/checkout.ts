import { confirmRequestSchema } from '@pay/contracts';
import { route } from '@pay/http';
import type { Express } from 'express';
import { z } from 'zod';
import { cancelCheckout, type CancelCheckoutDeps } from '../cancel-checkout';
import { confirmPayment, type ConfirmPaymentDeps } from '../confirm-payment';
import { viewCheckout, type ViewCheckoutDeps } from '../view-checkout';

export type CheckoutDeps = ViewCheckoutDeps & ConfirmPaymentDeps & CancelCheckoutDeps;

const idParams = z.object({ id: z.uuid() });

/** `/v1/checkout/:id`: public, for the customer of one intent. */
export function mountCheckout(app: Express, deps: CheckoutDeps): void {
  app.get(
    '/v1/checkout/:id',
    route({ params: idParams }, async ({ params }) => ({
      status: 200,
      body: await viewCheckout(deps, params.id),
    })),
  );
  app.post(
    '/v1/checkout/:id/confirm',
    route({ params: idParams, body: confirmRequestSchema }, async ({ params, body }) => ({
      status: 200,
      body: await confirmPayment(deps, { intentId: params.id, trxId: body.trxId }),
    })),
  );
  app.post(
    '/v1/checkout/:id/cancel',
    route({ params: idParams }, async ({ params }) => ({
      status: 200,
      body: await cancelCheckout(deps, params.id),
    })),
  );
}
