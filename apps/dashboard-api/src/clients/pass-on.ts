import type { Session } from '@pay/http';
import type { z } from 'zod';
import { answerOf } from './answer-of';
import type { Peer } from './service-clients';
import { withQuery } from './with-query';

/** Handler of a read whose response is the one of the service that owns the data. */
export function passOn<T>(
  peer: Peer,
  path: string,
  schema: z.ZodType<T>,
  answer: (call: Promise<T>) => Promise<T> = answerOf,
) {
  return ({ session: { merchantId }, query }: { readonly session: Session; readonly query: object }): Promise<T> =>
    answer(peer.request('GET', withQuery(`/internal/v1/${path}`, { ...query, merchantId }), { schema }));
}
