import type { InternalSmsMatch } from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { z } from 'zod';
import { findMatchOfSms } from './match-of-sms-repository';

const params = z.object({ id: z.uuid() });

/**
 * `GET /internal/v1/sms-events/:id/match`: the match of an SMS of the tenant of the headers; null while it is not
 * decided.
 */
export function mountMatchOfSms(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get(
    '/internal/v1/sms-events/:id/match',
    { params },
    async ({ params: { id }, req }) =>
      ({ match: (await findMatchOfSms(db, tenantOf(req), id)) ?? null }) satisfies InternalSmsMatch,
  );
}
