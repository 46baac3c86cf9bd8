import { internalReparseRequestSchema, internalSmsEventListQuerySchema, reparseOneRequestSchema } from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import { z } from 'zod';
import { pageOfSmsEvents } from './sms-event-page-repository';
import { summaryOf } from './sms-event-view-repository';
import { findSmsEvent, reportFormat, showText, type FindSmsEventDeps } from './find-sms-event';
import { reparseOne, reparseSms, type ReparseSmsDeps } from './reparse-sms';

export interface InternalSmsEventDeps extends Omit<FindSmsEventDeps, 'db' | 'secrets'>, ReparseSmsDeps {}

const params = z.object({ id: z.uuid() });
const query = z.object({ merchantId: z.uuid() });

/** `/internal/v1/sms-events`: what the dashboard shows of texts, the text itself, and parsing texts again. */
export function mountInternalSmsEvents(dashboard: InternalRoutes, deps: InternalSmsEventDeps): void {
  const { db } = deps;
  // dashboard-api checks the permission.
  dashboard.post(
    '/internal/v1/sms-events/reparse',
    { body: internalReparseRequestSchema },
    ({ body: { since, until, ...rest }, req }) =>
      reparseSms(deps, {
        ...rest,
        tenant: tenantOf(req),
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
      }),
  );
  dashboard.get(
    '/internal/v1/sms-events',
    { query: internalSmsEventListQuerySchema },
    async ({ query: { merchantId, ...filter } }) => {
      const { rows, ...found } = await pageOfSmsEvents(db, merchantId, filter);
      return { ...found, data: rows.map(summaryOf), limit: filter.limit };
    },
  );
  dashboard.get('/internal/v1/sms-events/:id', { params, query }, ({ params: { id }, query: { merchantId } }) =>
    findSmsEvent(deps, merchantId, id),
  );
  dashboard.get('/internal/v1/sms-events/:id/text', { params, query }, ({ params: { id }, query: { merchantId } }) =>
    showText(deps, merchantId, id),
  );
  dashboard.post('/internal/v1/sms-events/:id/report', { params, query }, ({ params: { id }, query: { merchantId } }) =>
    reportFormat(deps, merchantId, id),
  );
  dashboard.post(
    '/internal/v1/sms-events/:id/reparse',
    { params, body: reparseOneRequestSchema },
    ({ params: { id }, body, req }) => reparseOne(deps, tenantOf(req), id, body.dryRun),
  );
}
