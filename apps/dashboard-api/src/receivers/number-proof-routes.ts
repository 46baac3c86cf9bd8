import { dashboardOperations, type NumberProofResponse, BusinessError } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { confirmNumberProof } from './confirm-number-proof';
import { findNumberProof, pageOfNumberProofs, type NumberProof } from './number-proof-repository';
import { proofState } from '../domain/number-proof';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { requestNumberProof } from './request-number-proof';

export function mountNumberProofs(serve: Serve, deps: ManageDeps): void {
  serve(dashboardOperations.requestNumberProof, async ({ session, body }) => {
    const input = { merchantId: session.merchantId, userId: session.userId, msisdn: body.msisdn };
    const proof = await onBehalfOf(deps, session, requestNumberProof, input);
    return view(proof);
  });
  serve(dashboardOperations.listNumberProofs, async ({ session, query }) => {
    const { data, ...page } = await pageOfNumberProofs(deps.db, query, session.merchantId);
    return { ...page, data: data.map(view) };
  });
  serve(dashboardOperations.getNumberProof, async ({ session, params }) => {
    const proof = await findNumberProof(deps.db, params.id, session.merchantId);
    if (!proof) throw new BusinessError('NOT_FOUND');
    return view(proof);
  });
  serve(dashboardOperations.confirmNumberProof, async ({ session, params, body }) => {
    const input = { session, proofId: params.id, code: body.code };
    return view(await confirmNumberProof(deps, input));
  });

  function view(proof: NumberProof): NumberProofResponse {
    const { id, msisdn, createdAt, expiresAt, provenAt } = proof;
    return {
      id,
      msisdn,
      status: proofState(proof, deps.now()),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      provenAt: provenAt?.toISOString() ?? null,
    };
  }
}
