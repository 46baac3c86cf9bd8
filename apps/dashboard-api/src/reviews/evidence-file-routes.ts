import { dashboardOperations } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import { makeEvidenceFile, type MakeEvidenceFileDeps } from './make-evidence-file';

export function mountEvidenceFile(serve: Serve, deps: MakeEvidenceFileDeps): void {
  serve(dashboardOperations.getEvidenceFile, async ({ params, res }) => ({
    status: 200,
    body: await makeEvidenceFile(deps, sessionOf(res).merchantId, params.id),
  }));
}
