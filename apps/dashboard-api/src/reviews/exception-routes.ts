import { dashboardOperations, exceptionPageSchema } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import type { Response } from 'express';
import { withQuery } from '../clients/with-query';
import { askReconciler } from '../clients/reconciler-client';
import { findException, reviewException, type ReviewExceptionDeps } from './review-exception';

export function mountExceptions(serve: Serve, deps: ReviewExceptionDeps): void {
  const review = async (
    { params, res }: { readonly params: { readonly id: string }; readonly res: Response },
    asked: Parameters<typeof reviewException>[3],
  ) => ({ status: 200, body: await reviewException(deps, sessionOf(res), params.id, asked) }) as const;

  serve(dashboardOperations.listExceptions, async ({ query, res }) => {
    const path = withQuery('/internal/v1/exceptions', { ...query, merchantId: sessionOf(res).merchantId });
    return { status: 200, body: await askReconciler(deps.reconciler, 'GET', path, { schema: exceptionPageSchema }) };
  });

  serve(dashboardOperations.getException, async ({ params, res }) => ({
    status: 200,
    body: await findException(deps, sessionOf(res).merchantId, params.id),
  }));

  serve(dashboardOperations.resolveException, (call) => review(call, { action: 'resolve', ...call.body }));
  serve(dashboardOperations.linkException, (call) => review(call, { action: 'link', ...call.body }));
  serve(dashboardOperations.rejectException, (call) => review(call, { action: 'reject', ...call.body }));
  serve(dashboardOperations.refundException, (call) => review(call, { action: 'refunded', ...call.body }));
  serve(dashboardOperations.disownException, (call) => review(call, { action: 'not-ours', ...call.body }));
  serve(dashboardOperations.reopenException, (call) => review(call, { action: 'reopen', ...call.body }));
  serve(dashboardOperations.assignException, (call) => review(call, { action: 'assign', ...call.body }));
}
