import { chooseMethod as chooseMethodOperation, getCheckout, leaveCheckout } from '@pay/contracts';
import { operationServer, type CredentialChecks } from '@pay/http';
import type { Express } from 'express';
import { cancelCheckout, type CancelCheckoutDeps } from './cancel-checkout';
import { chooseMethod, type ChooseMethodDeps } from './choose-method';
import type { NoteReturnDeps } from './note-return';
import { viewCheckout, type ViewCheckoutDeps } from './view-checkout';

export type CheckoutDeps = ViewCheckoutDeps &
  CancelCheckoutDeps &
  NoteReturnDeps &
  ChooseMethodDeps &
  Pick<CredentialChecks, 'guard'>;

export function mountCheckout(app: Express, deps: CheckoutDeps): void {
  const serve = operationServer(app, deps.guard ? { guard: deps.guard } : {});

  serve(getCheckout, async ({ params, req }) => {
    const { view, version } = await viewCheckout(deps, params.id);
    // A weak ETag, because the time in the body differs in every response.
    const headers = { ETag: `W/"${version}"` };
    const isKnown = req.headers['if-none-match']?.includes(`"${version}"`) === true;
    return isKnown ? { status: 304, headers } : { status: 200, headers, body: view };
  });
  serve(chooseMethodOperation, async ({ params, body }) => {
    const { view } = await chooseMethod(deps, params.id, body.paymentMethod);
    return view;
  });
  serve(leaveCheckout, ({ params }) => cancelCheckout(deps, params.id));
}
