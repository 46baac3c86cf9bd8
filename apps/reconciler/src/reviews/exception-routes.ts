import { BusinessError, internalExceptionListQuerySchema, reviewActionSchema } from '@pay/contracts';
import { ValidationError, type InternalRoutes } from '@pay/http';
import type { Request } from 'express';
import { z } from 'zod';
import { findException } from './find-exception';
import { listExceptions } from './list-exceptions';
import { reviewException, type Actor, type ReviewExceptionDeps } from './review-exception';

const idParams = z.object({ id: z.uuid() });
/** Exceptions are found in both environments of the merchant; the response contains the environment. */
const ofMerchant = z.object({ merchantId: z.uuid() });
const actorHeader = /^([0-9a-f-]{36}):(OWNER|ADMIN|REVIEWER|DEVELOPER|VIEWER)$/;
const MAY_DECIDE: ReadonlySet<string> = new Set(['OWNER', 'ADMIN', 'REVIEWER']);

/** Routes for dashboard-api on behalf of a merchant's users. */
export function mountExceptions(dashboard: InternalRoutes, deps: ReviewExceptionDeps): void {
  dashboard.get('/internal/v1/exceptions', { query: internalExceptionListQuerySchema }, ({ query }) =>
    listExceptions(deps, query),
  );
  dashboard.get('/internal/v1/exceptions/:id', { params: idParams, query: ofMerchant }, ({ params, query }) =>
    findException(deps, query.merchantId, params.id),
  );
  dashboard.post(
    '/internal/v1/exceptions/:id/actions',
    { params: idParams, query: ofMerchant, body: reviewActionSchema },
    ({ params, query, body, req }) => reviewException(deps, query.merchantId, params.id, actorOf(req), body),
  );
}

/** The user of the request. Trust it only after serviceAuth. */
function actorOf(request: Request): Actor {
  const [, userId, role] = actorHeader.exec(request.get('x-actor') ?? '') ?? [];
  if (userId === undefined || role === undefined)
    throw new ValidationError(['X-Actor must contain a user id and a role']);
  if (!MAY_DECIDE.has(role)) throw new BusinessError('FORBIDDEN');
  return { userId, role };
}
