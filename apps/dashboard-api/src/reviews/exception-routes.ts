import { dashboardOperations, exceptionPageSchema } from '@pay/contracts';
import { sessionOf, type operationServer } from '@pay/http';
import { askReconciler } from './reconciler-client';
import { findException, reviewException, type ReviewExceptionDeps } from './review-exception';

export type ExceptionRouteDeps = ReviewExceptionDeps;

export function mountExceptions(serve: ReturnType<typeof operationServer>, deps: ExceptionRouteDeps): void {
  serve(dashboardOperations.listExceptions, async ({ query, res }) => {
    const { merchantId } = sessionOf(res);
    const asked = Object.entries({ ...query, merchantId }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    const path = `/internal/v1/exceptions?${search.toString()}`;
    return { status: 200, body: await askReconciler(deps.reconciler, 'GET', path, { schema: exceptionPageSchema }) };
  });
  serve(dashboardOperations.getException, async ({ params, res }) => ({
    status: 200,
    body: await findException(deps, sessionOf(res).merchantId, params.id),
  }));
  serve(dashboardOperations.resolveException, async ({ params, body, res }) => ({
    status: 200,
    body: await reviewException(deps, sessionOf(res), params.id, { action: 'resolve', ...body }),
  }));
  serve(dashboardOperations.linkException, async ({ params, body, res }) => ({
    status: 200,
    body: await reviewException(deps, sessionOf(res), params.id, { action: 'link', ...body }),
  }));
  serve(dashboardOperations.rejectException, async ({ params, body, res }) => ({
    status: 200,
    body: await reviewException(deps, sessionOf(res), params.id, { action: 'reject', ...body }),
  }));
  serve(dashboardOperations.refundException, async ({ params, body, res }) => ({
    status: 200,
    body: await reviewException(deps, sessionOf(res), params.id, { action: 'refunded', ...body }),
  }));
  serve(dashboardOperations.disownException, async ({ params, body, res }) => ({
    status: 200,
    body: await reviewException(deps, sessionOf(res), params.id, { action: 'not-ours', ...body }),
  }));
  serve(dashboardOperations.reopenException, async ({ params, body, res }) => ({
    status: 200,
    body: await reviewException(deps, sessionOf(res), params.id, { action: 'reopen', ...body }),
  }));
  serve(dashboardOperations.assignException, async ({ params, body, res }) => ({
    status: 200,
    body: await reviewException(deps, sessionOf(res), params.id, { action: 'assign', ...body }),
  }));
}
