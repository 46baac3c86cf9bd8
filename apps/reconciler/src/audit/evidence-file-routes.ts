import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { z } from 'zod';
import { makeEvidenceFile, type MakeEvidenceFileDeps } from './make-evidence-file';
import { showChainHead } from '../decision-chain/show-chain-head';

export interface EvidenceFileRoutesDeps extends MakeEvidenceFileDeps {
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

const params = z.object({ intentId: z.uuid() });
const ofMerchant = z.object({ merchantId: z.uuid() });

/** How a payment was decided, and the end of the chain that says so. */
export function mountEvidenceFile(app: Express, deps: EvidenceFileRoutesDeps): void {
  const fromDashboard = serviceAuth({ audience: 'reconciler', secrets: deps.peerSecrets, allow: ['dashboard-api'] });
  app.get(
    '/internal/v1/payments/:intentId/evidence-file',
    fromDashboard,
    route({ params, query: ofMerchant }, async ({ params: { intentId }, query: { merchantId } }) => ({
      status: 200,
      body: await makeEvidenceFile(deps, merchantId, intentId),
    })),
  );
  app.get(
    '/internal/v1/decision-chain',
    fromDashboard,
    route({}, async ({ req }) => ({ status: 200, body: await showChainHead(deps, tenantOf(req)) })),
  );
}
