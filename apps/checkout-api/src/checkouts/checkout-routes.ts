import {
  chooseMethod as chooseMethodOperation,
  confirmCheckout,
  getCheckout,
  leaveCheckout,
  watchCheckout,
} from '@pay/contracts';
import { operationServer, type CredentialChecks } from '@pay/http';
import { forgive } from '@pay/rate-limits';
import type { Express } from 'express';
import { cancelCheckout, type CancelCheckoutDeps } from './cancel-checkout';
import { chooseMethod, type ChooseMethodDeps } from './choose-method';
import { confirmPayment, type ConfirmPaymentDeps } from '../claims/confirm-payment';
import type { NoteReturnDeps } from './note-return';
import { isNoFailure } from '../domain/confirm-answer';
import { viewCheckout, type ViewCheckoutDeps } from './view-checkout';
import { answerWithEvents, type CheckoutEventDeps } from '../live-status/checkout-event-routes';

export type CheckoutDeps = ViewCheckoutDeps &
  ConfirmPaymentDeps &
  CancelCheckoutDeps &
  NoteReturnDeps &
  ChooseMethodDeps &
  CheckoutEventDeps &
  Pick<CredentialChecks, 'guard'>;

/** `/v1/checkout/:id`: public, for the customer of one intent. */
export function mountCheckout(app: Express, deps: CheckoutDeps): void {
  const serve = operationServer(app, deps.guard ? { guard: deps.guard } : {});

  serve(getCheckout, async ({ params, req }) => {
    const { view, version } = await viewCheckout(deps, params.id);
    // A weak ETag, because the time in the body differs in every response.
    const headers = { ETag: `W/"${version}"` };
    const isKnown = req.headers['if-none-match']?.includes(`"${version}"`) === true;
    return isKnown ? { status: 304, headers } : { status: 200, headers, body: view };
  });
  serve(watchCheckout, ({ params, req, res }) => answerWithEvents(deps, params.id.toLowerCase(), req, res));
  serve(chooseMethodOperation, async ({ params, body }) => {
    const { view } = await chooseMethod(deps, params.id, body.paymentMethod);
    return { status: 200, body: view };
  });
  serve(confirmCheckout, async ({ params, body, res }) => {
    const answer = await confirmPayment(deps, {
      ...body,
      intentId: params.id,
      payerDigits: body.payerDigits ?? undefined,
    });
    if (isNoFailure(answer)) forgive(res);
    return { status: 200, body: answer };
  });
  serve(leaveCheckout, async ({ params }) => ({
    status: 200,
    body: await cancelCheckout(deps, params.id),
  }));
}
