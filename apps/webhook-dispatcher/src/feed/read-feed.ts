import { type FeedEventType, type Tenant, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { feedBounds, readEvents, type FeedEvent } from './event-repository';

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly nextCursor: string;
}

/**
 * Events are read before the bounds, so that a concurrent deletion makes the cursor expire instead of leaving a gap.
 */
export async function readFeed(
  db: Queryable,
  tenant: Tenant,
  query: { readonly after?: number | undefined; readonly limit: number; readonly type?: FeedEventType | undefined },
): Promise<FeedPage> {
  const { limit, type } = query;
  // Read before the events, which therefore contain every match up to it. A reader of a rare type would otherwise keep
  // its cursor until it expires.
  const searched = type === undefined ? 0 : (await feedBounds(db, tenant)).last;
  const events = await readEvents(db, tenant, { after: query.after ?? 0, limit, type });
  const { last, deletedThrough } = await feedBounds(db, tenant);
  const after = query.after ?? deletedThrough;
  if (after < deletedThrough) throw new BusinessError('CURSOR_EXPIRED');
  // A failover lost the latest commits. Later events will reuse positions that this reader has already seen.
  if (after > last) throw new BusinessError('CURSOR_AHEAD', undefined, undefined, { lastCursor: String(last) });
  const reached = Number(events.at(-1)?.position ?? after);
  return { events, nextCursor: String(events.length < limit ? Math.max(reached, searched) : reached) };
}
