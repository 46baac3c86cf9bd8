import { dashboardOperations } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import { STREAM_HEADERS, type ChangeStreams } from './change-streams';

export interface ChangeRouteDeps {
  readonly changeStreams: Pick<ChangeStreams, 'open'>;
}

export function mountChanges(serve: Serve, { changeStreams }: ChangeRouteDeps): void {
  serve(dashboardOperations.watchChanges, ({ query: { environment }, req, res }) => {
    const session = sessionOf(res);
    if (req.method === 'HEAD') res.writeHead(200, STREAM_HEADERS).end();
    else changeStreams.open(session, { merchantId: session.merchantId, environment }, res);
    return Promise.resolve({ status: 200 });
  });
}
