import { internalSmsEventListQuerySchema, reparseOneRequestSchema, type ServiceName } from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { z } from 'zod';
import { pageOfSmsEvents } from './sms-event-page-repository';
import { summaryOf } from './sms-event-view-repository';
import { findSmsEvent, reportFormat, showText, type FindSmsEventDeps } from './find-sms-event';
import { reparseOne, type ReparseSmsDeps } from './reparse-sms';

export interface InternalSmsEventDeps extends Omit<FindSmsEventDeps, 'db' | 'secrets'>, ReparseSmsDeps {
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

const params = z.object({ id: z.uuid() });
const query = z.object({ merchantId: z.uuid() });

/** `/internal/v1/sms-events`: what the dashboard shows of texts, and the text itself. */
export function mountInternalSmsEvents(app: Express, deps: InternalSmsEventDeps): void {
  const { db, peerSecrets } = deps;
  const fromDashboard = serviceAuth({ audience: 'sms-ingest', secrets: peerSecrets, allow: ['dashboard-api'] });
  app.get(
    '/internal/v1/sms-events',
    fromDashboard,
    route({ query: internalSmsEventListQuerySchema }, async ({ query: { merchantId, ...filter } }) => {
      const { rows, ...found } = await pageOfSmsEvents(db, merchantId, filter);
      return { status: 200, body: { ...found, data: rows.map(summaryOf), limit: filter.limit } };
    }),
  );
  app.get(
    '/internal/v1/sms-events/:id',
    fromDashboard,
    route({ params, query }, async ({ params: { id }, query: { merchantId } }) => ({
      status: 200,
      body: await findSmsEvent(deps, merchantId, id),
    })),
  );
  app.get(
    '/internal/v1/sms-events/:id/text',
    fromDashboard,
    route({ params, query }, async ({ params: { id }, query: { merchantId } }) => ({
      status: 200,
      body: await showText(deps, merchantId, id),
    })),
  );
  app.post(
    '/internal/v1/sms-events/:id/report',
    fromDashboard,
    route({ params, query }, async ({ params: { id }, query: { merchantId } }) => ({
      status: 200,
      body: await reportFormat(deps, merchantId, id),
    })),
  );
  app.post(
    '/internal/v1/sms-events/:id/reparse',
    fromDashboard,
    route({ params, body: reparseOneRequestSchema }, async ({ params: { id }, body, req }) => ({
      status: 200,
      body: await reparseOne(deps, tenantOf(req), id, body.dryRun),
    })),
  );
}
