import type { EventOf } from '@pay/contracts';
import { mayPartSucceed, retryOnConflict, type Database, type Transaction } from '@pay/persistence';
import { failpoint } from '@pay/runtime';
import type { Delivery } from './delivery';
import { leaveForLater, takeNew } from './inbox';
import type { MessagingMetrics } from '../metrics';
import type { QueueName } from '../broker/topology';
import { inConsumerSpan } from '../tracing';

/**
 * Handles new events in order of arrival, inside the transaction that records them as handled. `notYet` names events
 * that arrived too early; they are not recorded and are redelivered.
 */
export type Handle<Prepared = unknown> = (
  tx: Transaction,
  events: readonly EventOf[],
  prepared: Prepared,
) => Promise<void> | Promise<{ readonly notYet: readonly string[] } | undefined>;

/**
 * Starts the locks and reads of a handler while the inbox is queried, so that they share its round trip. It receives
 * every event of the batch including repeats, so it must not write.
 */
export type Prepare<Prepared = unknown> = (tx: Transaction, events: readonly EventOf[]) => Promise<Prepared>;

export interface Readable {
  readonly delivery: Delivery;
  readonly event: EventOf;
}

export interface BatchDeps {
  readonly db: Database;
  readonly queue: QueueName;
  readonly prepare?: Prepare | undefined;
  readonly handle: Handle;
  readonly metrics: Pick<MessagingMetrics, 'consumed' | 'batchSize' | 'batchSeconds'>;
}

export interface BatchResult {
  readonly notYet: readonly Readable[];
  readonly failed: readonly { readonly readable: Readable; readonly error: unknown }[];
}

/**
 * Handles a batch in one transaction; if it fails, or the server runs out of memory, the batch is halved until each
 * failing message is alone. Throws only if the database is lost and no result is known.
 */
export async function handleBatch(deps: BatchDeps, batch: readonly Readable[]): Promise<BatchResult> {
  if (batch.length === 0) return { notYet: [], failed: [] };
  try {
    return { notYet: await handleTogether(deps, batch), failed: [] };
  } catch (error) {
    if (!mayPartSucceed(error)) throw error;
    const [only] = batch;
    if (only !== undefined && batch.length === 1) return { notYet: [], failed: [{ readable: only, error }] };
    const middle = Math.ceil(batch.length / 2);
    const first = await handleBatch(deps, batch.slice(0, middle));
    const second = await handleBatch(deps, batch.slice(middle));
    return { notYet: [...first.notYet, ...second.notYet], failed: [...first.failed, ...second.failed] };
  }
}

async function handleTogether(deps: BatchDeps, batch: readonly Readable[]): Promise<readonly Readable[]> {
  const { db, queue, prepare, handle, metrics } = deps;
  const byId = new Map<string, Readable>();
  for (const readable of batch) if (!byId.has(readable.event.id)) byId.set(readable.event.id, readable);
  const all = [...byId.values()].map((readable) => readable.event);
  const begun = performance.now();

  const { fresh, notYet } = await inConsumerSpan(queue, all, () =>
    retryOnConflict(db, async (tx) => {
      const newIds = takeNew(tx, queue, [...byId.keys()]);
      const [taken, prepared] = await Promise.all([newIds, prepare?.(tx, all)]);
      const events = all.filter((event) => taken.has(event.id));
      if (events.length === 0) return { fresh: 0, notYet: [] };
      const early = (await handle(tx, events, prepared))?.notYet ?? [];
      if (early.length > 0) await leaveForLater(tx, queue, early);
      await failpoint('consumer.before-commit');
      return { fresh: events.length, notYet: early };
    }),
  );
  await failpoint('consumer.after-commit-before-ack');

  metrics.batchSize.observe({ queue }, batch.length);
  metrics.batchSeconds.observe({ queue }, (performance.now() - begun) / 1000);
  metrics.consumed.inc({ queue, outcome: 'duplicate' }, batch.length - fresh);
  metrics.consumed.inc({ queue, outcome: 'handled' }, fresh - notYet.length);
  metrics.consumed.inc({ queue, outcome: 'not_yet' }, notYet.length);
  return notYet.map((id) => byId.get(id)).filter((readable) => readable !== undefined);
}
