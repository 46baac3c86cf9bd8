import { dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { makeEvidenceFile, type MakeEvidenceFileDeps } from './make-evidence-file';

export function mountEvidenceFile(serve: Serve, deps: MakeEvidenceFileDeps): void {
  serve(dashboardOperations.getEvidenceFile, ({ session, params }) =>
    makeEvidenceFile(deps, session.merchantId, params.id),
  );
}
