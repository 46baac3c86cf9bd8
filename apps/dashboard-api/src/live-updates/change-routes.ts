import { dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { STREAM_HEADERS, type ChangeStreams } from './change-streams';

export interface ChangeRouteDeps {
  readonly changeStreams: Pick<ChangeStreams, 'open'>;
}

export function mountChanges(serve: Serve, { changeStreams }: ChangeRouteDeps): void {
  serve(dashboardOperations.watchChanges, ({ session, query: { environment }, req, res }) => {
    if (req.method === 'HEAD') res.writeHead(200, STREAM_HEADERS).end();
    else changeStreams.open(session, { merchantId: session.merchantId, environment }, res);
  });
}
