import { dashboardOperations, exceptionPageSchema } from '@pay/contracts';
import type { Serve, Session } from '@pay/http';
import { withQuery } from '../clients/with-query';
import { askReconciler } from '../clients/reconciler-client';
import { makeEvidenceFile, type MakeEvidenceFileDeps } from './make-evidence-file';
import { findException, reviewException, type ReviewExceptionDeps } from './review-exception';

export function mountExceptions(serve: Serve, deps: ReviewExceptionDeps & MakeEvidenceFileDeps): void {
  const review = (
    { session, params }: { readonly session: Session; readonly params: { readonly id: string } },
    asked: Parameters<typeof reviewException>[3],
  ) => reviewException(deps, session, params.id, asked);

  serve(dashboardOperations.listExceptions, async ({ session, query }) => {
    const path = withQuery('/internal/v1/exceptions', { ...query, merchantId: session.merchantId });
    return askReconciler(deps.reconciler, 'GET', path, { schema: exceptionPageSchema });
  });

  serve(dashboardOperations.getException, ({ session, params }) => findException(deps, session.merchantId, params.id));

  serve(dashboardOperations.resolveException, (call) => review(call, { action: 'resolve', ...call.body }));
  serve(dashboardOperations.linkException, (call) => review(call, { action: 'link', ...call.body }));
  serve(dashboardOperations.rejectException, (call) => review(call, { action: 'reject', ...call.body }));
  serve(dashboardOperations.refundException, (call) => review(call, { action: 'refunded', ...call.body }));
  serve(dashboardOperations.disownException, (call) => review(call, { action: 'not-ours', ...call.body }));
  serve(dashboardOperations.reopenException, (call) => review(call, { action: 'reopen', ...call.body }));
  serve(dashboardOperations.assignException, (call) => review(call, { action: 'assign', ...call.body }));

  serve(dashboardOperations.getEvidenceFile, ({ session, params }) =>
    makeEvidenceFile(deps, session.merchantId, params.id),
  );
}
