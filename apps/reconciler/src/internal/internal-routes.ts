import {
  erasePayersRequestSchema,
  findProblemsRequestSchema,
  internalSearchQuerySchema,
  internalStatisticsQuerySchema,
  testClockStepSchema,
  type InternalSmsMatch,
} from '@pay/contracts';
import { sandboxTenantOf, tenantOf, type InternalRoutes } from '@pay/http';
import { retryOnConflict } from '@pay/persistence';
import { z } from 'zod';
import { findProblems } from '../alerts/problem-repository';
import { makeEvidenceFile, type MakeEvidenceFileDeps } from '../audit/make-evidence-file';
import { showChainHead } from '../decision-chain/show-chain-head';
import { moveMatchWindows, type MoveMatchWindowsDeps } from '../expiry/move-match-windows';
import { erasePayers } from '../retention/erase-payers';
import { findMatchOfSms } from '../reviews/find-match-of-sms';
import { search } from '../search/search';
import { findDecisionStatistics } from '../statistics/decision-statistics-repository';

const ofIntent = z.object({ intentId: z.uuid() });
const ofMerchant = z.object({ merchantId: z.uuid() });
const ofSms = z.object({ id: z.uuid() });

/** Routes for dashboard-api, besides those of exceptions. */
export function mountForDashboard(dashboard: InternalRoutes, deps: MakeEvidenceFileDeps & MoveMatchWindowsDeps): void {
  const { db } = deps;

  dashboard.get(
    '/internal/v1/payments/:intentId/evidence-file',
    { params: ofIntent, query: ofMerchant },
    ({ params: { intentId }, query: { merchantId } }) => makeEvidenceFile(deps, merchantId, intentId),
  );
  dashboard.get('/internal/v1/decision-chain', {}, ({ req }) => showChainHead(deps, tenantOf(req)));

  // The match is null while the SMS is not decided.
  dashboard.get(
    '/internal/v1/sms-events/:id/match',
    { params: ofSms },
    async ({ params: { id }, req }) =>
      ({ match: await findMatchOfSms(db, tenantOf(req), id) }) satisfies InternalSmsMatch,
  );

  dashboard.get('/internal/v1/search', { query: internalSearchQuerySchema }, ({ query: { text, ...tenant } }) =>
    search(db, tenant, text),
  );
  dashboard.get('/internal/v1/decision-statistics', { query: internalStatisticsQuerySchema }, ({ query }) =>
    findDecisionStatistics(db, query),
  );
  dashboard.post('/internal/v1/problems', { body: findProblemsRequestSchema }, ({ body }) =>
    findProblems(db, body.tenants),
  );
  dashboard.post('/internal/v1/test-clock/steps', { body: testClockStepSchema }, ({ body, req }) =>
    moveMatchWindows(deps, sandboxTenantOf(req), body),
  );
  dashboard.post('/internal/v1/payers/erase', { body: erasePayersRequestSchema }, ({ body }) =>
    retryOnConflict(db, (tx) => erasePayers(tx, body)),
  );
}
