import { tenantOf, type InternalRoutes } from '@pay/http';
import { z } from 'zod';
import { makeEvidenceFile, type MakeEvidenceFileDeps } from './make-evidence-file';
import { showChainHead } from '../decision-chain/show-chain-head';

const params = z.object({ intentId: z.uuid() });
const ofMerchant = z.object({ merchantId: z.uuid() });

/** Routes of the evidence file and of the head of the decision chain. */
export function mountEvidenceFile(dashboard: InternalRoutes, deps: MakeEvidenceFileDeps): void {
  dashboard.get(
    '/internal/v1/payments/:intentId/evidence-file',
    { params, query: ofMerchant },
    ({ params: { intentId }, query: { merchantId } }) => makeEvidenceFile(deps, merchantId, intentId),
  );
  dashboard.get('/internal/v1/decision-chain', {}, ({ req }) => showChainHead(deps, tenantOf(req)));
}
