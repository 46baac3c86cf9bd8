import type { InternalSmsMatch } from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { z } from 'zod';
import { findMatchOfSms } from './match-of-sms-repository';

export interface MatchOfSmsDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

const params = z.object({ id: z.uuid() });

/**
 * `GET /internal/v1/sms-events/:id/match`: the match of an SMS of the tenant of the headers; null while it is not
 * decided.
 */
export function mountMatchOfSms(app: Express, { db, peerSecrets }: MatchOfSmsDeps): void {
  app.get(
    '/internal/v1/sms-events/:id/match',
    serviceAuth({ audience: 'reconciler', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ params }, async ({ params: { id }, req }) => ({
      status: 200,
      body: { match: (await findMatchOfSms(db, tenantOf(req), id)) ?? null } satisfies InternalSmsMatch,
    })),
  );
}
