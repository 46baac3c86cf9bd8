import { confirmCheckout } from '@pay/contracts';
import { operationServer, type CredentialChecks } from '@pay/http';
import { forgive } from '@pay/rate-limits';
import type { Express } from 'express';
import { isNoFailure } from '../domain/confirm-answer';
import { confirmPayment, type ConfirmPaymentDeps } from './confirm-payment';

export type ClaimRouteDeps = ConfirmPaymentDeps & Pick<CredentialChecks, 'guard'>;

export function mountClaims(app: Express, deps: ClaimRouteDeps): void {
  const serve = operationServer(app, deps.guard ? { guard: deps.guard } : {});

  serve(confirmCheckout, async ({ params, body, res }) => {
    const answer = await confirmPayment(deps, {
      ...body,
      intentId: params.id,
      payerDigits: body.payerDigits ?? undefined,
    });
    if (isNoFailure(answer)) forgive(res);
    return answer;
  });
}
