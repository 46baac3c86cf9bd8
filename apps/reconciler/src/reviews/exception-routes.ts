import {
  internalExceptionListQuerySchema,
  reviewActionSchema,
  BusinessError,
  type ExceptionDetails,
  type ExceptionListQuery,
  type ExceptionPage,
  type ReviewAction,
  type ReviewAnswer,
} from '@pay/contracts';
import { ValidationError, type InternalRoutes } from '@pay/http';
import type { Request } from 'express';
import { z } from 'zod';
import type { Actor } from './review-exception';

export interface ExceptionRoutesDeps {
  readonly listExceptions: (query: ExceptionListQuery & { readonly merchantId: string }) => Promise<ExceptionPage>;
  readonly findException: (merchantId: string, id: string) => Promise<ExceptionDetails>;
  readonly reviewException: (
    merchantId: string,
    id: string,
    actor: Actor,
    action: ReviewAction,
  ) => Promise<ReviewAnswer>;
}

const idParams = z.object({ id: z.uuid() });
/** An item is its merchant's in either environment; which one, it says itself. */
const ofMerchant = z.object({ merchantId: z.uuid() });
const actorHeader = /^([0-9a-f-]{36}):(OWNER|ADMIN|REVIEWER|DEVELOPER|VIEWER)$/;
const MAY_DECIDE: ReadonlySet<string> = new Set(['OWNER', 'ADMIN', 'REVIEWER']);

/** What dashboard-api asks on behalf of a merchant's people. */
export function mountExceptions(dashboard: InternalRoutes, deps: ExceptionRoutesDeps): void {
  const { listExceptions, findException, reviewException } = deps;
  dashboard.get('/internal/v1/exceptions', { query: internalExceptionListQuerySchema }, ({ query }) =>
    listExceptions(query),
  );
  dashboard.get('/internal/v1/exceptions/:id', { params: idParams, query: ofMerchant }, ({ params, query }) =>
    findException(query.merchantId, params.id),
  );
  dashboard.post(
    '/internal/v1/exceptions/:id/actions',
    { params: idParams, query: ofMerchant, body: reviewActionSchema },
    ({ params, query, body, req }) => reviewException(query.merchantId, params.id, actorOf(req), body),
  );
}

/** The person behind the request. Trust it only behind serviceAuth. */
function actorOf(request: Request): Actor {
  const [, userId, role] = actorHeader.exec(request.get('x-actor') ?? '') ?? [];
  if (userId === undefined || role === undefined)
    throw new ValidationError(['X-Actor must contain a user id and a role']);
  if (!MAY_DECIDE.has(role)) throw new BusinessError('FORBIDDEN');
  return { userId, role };
}
