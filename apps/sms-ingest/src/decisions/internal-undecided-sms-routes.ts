import { BusinessError } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { Express } from 'express';
import { listUndecided } from './list-undecided';

export interface InternalSmsDeps {
  readonly db: Database;
  readonly peerSecrets: { readonly reconciler: PeerSecret };
}

/** `/internal/v1/undecided`: what expiry has to wait for. */
export function mountInternalSms(app: Express, { db, peerSecrets }: InternalSmsDeps): void {
  app.get(
    '/internal/v1/undecided',
    serviceAuth({ audience: 'sms-ingest', secrets: peerSecrets, allow: ['reconciler'] }),
    route({}, async () => {
      const body = await listUndecided({ db });
      if (body === undefined) throw new BusinessError('SERVICE_UNAVAILABLE');
      return { status: 200, body };
    }),
  );
}
