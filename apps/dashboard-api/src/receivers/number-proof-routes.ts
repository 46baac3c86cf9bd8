import { dashboardOperations, type NumberProofResponse, BusinessError } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import { confirmNumberProof } from './confirm-number-proof';
import { findNumberProof, pageOfNumberProofs, type NumberProof } from './number-proof-repository';
import { proofState } from '../domain/number-proof';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { requestNumberProof } from './request-number-proof';

export function mountNumberProofs(serve: Serve, deps: ManageDeps): void {
  serve(dashboardOperations.requestNumberProof, async ({ body, res }) => {
    const session = sessionOf(res);
    const input = { merchantId: session.merchantId, userId: session.userId, msisdn: body.msisdn };
    const proof = await onBehalfOf(deps, session, (changeDeps, tx) => requestNumberProof(changeDeps, tx, input));
    return { status: 201, body: view(proof) };
  });
  serve(dashboardOperations.listNumberProofs, async ({ query, res }) => {
    const { data, ...page } = await pageOfNumberProofs(deps.db, query, sessionOf(res).merchantId);
    return { status: 200, body: { ...page, data: data.map(view) } };
  });
  serve(dashboardOperations.getNumberProof, async ({ params, res }) => {
    const proof = await findNumberProof(deps.db, params.id, sessionOf(res).merchantId);
    if (!proof) throw new BusinessError('NOT_FOUND');
    return { status: 200, body: view(proof) };
  });
  serve(dashboardOperations.confirmNumberProof, async ({ params, body, res }) => {
    const input = { session: sessionOf(res), proofId: params.id, code: body.code };
    return { status: 200, body: view(await confirmNumberProof(deps, input)) };
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
