import type { ProbedType } from '@pay/contracts';
import { isTimeout } from '@pay/persistence';
import {
  movableTogether,
  moveToOverflow,
  park,
  moveToRetry,
  type MoveDeps,
  type Movable,
  type ParkReason,
} from './move-message';
import { handleBatch, type BatchDeps, type Readable } from './batch';
import { MOST_DEATHS_ALONE, nextRound, type Delivery } from './delivery';
import { PermanentError, reasonOf } from '../errors';
import { beginAlone, endAlone } from './inbox';
import type { Publisher } from '../broker/publisher';

export type SettleDeps = BatchDeps &
  MoveDeps & {
    readonly publisher: Pick<Publisher, 'isWritable'>;
    /** Throws only if the database is lost. */
    readonly recordProbes: (probes: readonly ProbedType[]) => Promise<void>;
  };

const NOT_YET = 'waits for an earlier event';
const NONE: ReadonlySet<Delivery> = new Set();

/**
 * Settles every message of a group: handled, repeated, moved to the overflow or a retry queue, or parked. The returned
 * function can be called again after a database or broker failure and repeats only unfinished work; afterwards the
 * group may be acknowledged.
 */
export function settle(
  deps: SettleDeps,
  group: readonly Delivery[],
  overflow: ReadonlySet<Delivery> = NONE,
): () => Promise<void> {
  const gone = new Set<Delivery>();

  async function once(delivery: Delivery, move: () => Promise<void>): Promise<void> {
    if (gone.has(delivery)) return;
    await move();
    gone.add(delivery);
  }

  return async () => {
    const readable: Readable[] = [];
    const probes: ProbedType[] = [];
    // A broker without disk or memory accepts nothing until messages are consumed, so all are handled here.
    const moving = deps.publisher.isWritable ? overflow : NONE;
    for (const delivery of group) {
      if (gone.has(delivery) || moving.has(delivery)) continue;
      const { content } = delivery;
      if ('event' in content) readable.push({ delivery, event: content.event });
      else if ('probe' in content) probes.push(content.probe);
      else if ('rejectedProbe' in content)
        deps.log.warn({ queue: deps.queue, reason: content.rejectedProbe }, 'probe.rejected');
      else await once(delivery, () => parkWith(deps, delivery, content.kind, content.violation));
    }
    const moved = group.filter((delivery) => moving.has(delivery) && !gone.has(delivery));
    const [{ notYet, failed }] = await Promise.all([
      handleBatch(deps, readable),
      ...movableTogether(moved, deps.mostInBundle).map(async (together) => {
        await move(deps, together);
        for (const delivery of together) gone.add(delivery);
      }),
    ]);
    for (const { delivery } of notYet) await once(delivery, () => laterOrPark(deps, delivery, NOT_YET));
    for (const { readable: one, error } of failed) {
      await once(one.delivery, () =>
        error instanceof PermanentError
          ? parkWith(deps, one.delivery, 'permanent', error.message)
          : laterOrPark(deps, one.delivery, reasonOf(error), error),
      );
    }
    if (probes.length > 0) await deps.recordProbes(probes);
  };
}

/** A message that may have crashed the process: recorded before it is started, and cleared after any result. */
export function settleSuspect(deps: SettleDeps, delivery: Delivery): () => Promise<void> {
  const { db, queue } = deps;
  const settleAlone = settle(deps, [delivery]);
  let begun: number | undefined;
  return async () => {
    begun ??= await beginAlone(db, queue, delivery.id);
    if (begun > MOST_DEATHS_ALONE)
      await parkWith(deps, delivery, 'crash_loop', 'the process ended whenever it was handled');
    else await settleAlone();
    await endAlone(db, queue, delivery.id);
  };
}

async function move(deps: SettleDeps, events: Movable): Promise<void> {
  await moveToOverflow(deps, events);
  deps.metrics.consumed.inc({ queue: deps.queue, outcome: 'moved' }, events.length);
}

async function laterOrPark(deps: SettleDeps, delivery: Delivery, reason: string, error?: unknown): Promise<void> {
  // An event that waits for an earlier one has no error; the earlier one may have timed out.
  const isBlocked = error === undefined || isTimeout(error);
  const round = nextRound(delivery, { isBlocked, now: new Date() });
  if (round === undefined) return parkWith(deps, delivery, 'tries', reason);
  if (error !== undefined) deps.log.warn({ queue: deps.queue, messageId: delivery.id, err: error }, 'message.failed');
  await moveToRetry(deps, delivery, round, reason);
  if (error !== undefined) deps.metrics.consumed.inc({ queue: deps.queue, outcome: 'retried' });
}

async function parkWith(deps: SettleDeps, delivery: Delivery, kind: ParkReason, reason: string): Promise<void> {
  await park(deps, delivery, { kind, reason, now: new Date() });
  deps.metrics.consumed.inc({ queue: deps.queue, outcome: 'parked' });
}
