import { dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import type { ChangeStreams } from './change-streams';

export interface ChangeRouteDeps {
  readonly changeStreams: Pick<ChangeStreams, 'open'>;
}

export function mountChanges(serve: Serve, { changeStreams }: ChangeRouteDeps): void {
  serve(dashboardOperations.watchChanges, ({ session, query: { environment }, req, res }) =>
    changeStreams.open(session, { merchantId: session.merchantId, environment }, res, req.method),
  );
}
