import { setTimeout as delay } from 'node:timers/promises';
import type { DirectoryKind, ServiceName } from '@pay/contracts';
import { draft, type Messaging } from '@pay/messaging';
import { inTransaction, statement, type Database, type Queryable } from '@pay/persistence';
import type { Logger, Worker } from '@pay/runtime';

// A kind that is complete but empty may belong to a new installation or to a lost copy, so a re-send is requested once
// a minute.
const MAY_BE_LOST = `done.completed_at < now() - interval '1 minute'
  and not exists (select from directory_facts fact where fact.kind = done.kind)`;
// 2 s, 4 s, ... up to a minute between two requests, over all replicas.
const CLAIM = statement(
  'directory-claim-resend',
  `insert into directory_resends as done (kind, asked_at, asked)
   select kind, now(), 1 from unnest($1::text[]) as kind order by kind
   on conflict (kind) do update set asked_at = now(), asked = done.asked + 1
   where (done.completed_at is null or (${MAY_BE_LOST}))
     and (done.asked_at is null or done.asked_at < now() - least(60, 2 ^ least(done.asked, 6)) * interval '1 second')
   returning kind`,
);
const WANTED = statement(
  'directory-wanted-kinds',
  `select done.completed_at is null as "isMissing"
     from unnest($1::text[]) as kind left join directory_resends done using (kind)
    where done.completed_at is null or (${MAY_BE_LOST})`,
);

const LOOK_AGAIN_MS = 500;
/** A copy can also be lost while the process runs, when its tables are restored or emptied. */
const LOOK_AGAIN_WHEN_COMPLETE_MS = 5_000;

export interface ResendDeps {
  readonly db: Database;
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly service: ServiceName;
  readonly kinds: readonly DirectoryKind[];
  readonly log: Logger;
  readonly now: () => Date;
}

/** Records that the copy contains all facts of these kinds; with an epoch, also that it contains no older ones. */
export const recordResendCompleted = inTransaction.command<[kinds: readonly DirectoryKind[], epoch: number | null]>(
  'directory-resend-completed',
  `insert into directory_resends as done (kind, completed_at, epoch)
   select kind, now(), $2::integer from unnest($1::text[]) as kind order by kind
   on conflict (kind) do update
      set completed_at = excluded.completed_at, asked = 0, epoch = greatest(done.epoch, excluded.epoch)`,
);

export async function isWhole(db: Queryable, kinds: readonly DirectoryKind[]): Promise<boolean> {
  return (await db.query(WANTED, [kinds])).length === 0;
}

/**
 * Requests a re-send of every kind that is missing or may be lost, unless a replica has requested one recently. Returns
 * the requested kinds.
 */
async function askForWantedKinds(deps: ResendDeps): Promise<DirectoryKind[]> {
  const { db, messaging, service, now } = deps;
  return db.transaction(async (tx) => {
    const kinds = (await tx.query<{ kind: DirectoryKind }>(CLAIM, [deps.kinds])).map((row) => row.kind);
    if (kinds.length === 0) return kinds;
    const request = draft('directory.resend_requested', {
      environment: null,
      merchantId: null,
      aggregateId: service,
      sequence: 0,
      data: { service, kinds },
      occurredAt: now(),
    });
    await messaging.publish(tx, [request]);
    return kinds;
  });
}

/** Repeats the request until the copy is complete. The process is not ready before. */
export function resendWorker(deps: ResendDeps): Worker {
  const { db, kinds, log } = deps;
  let complete = false;

  async function look(): Promise<void> {
    const wanted = await db.query<{ isMissing: boolean }>(WANTED, [kinds]);
    if (wanted.length > 0) {
      const asked = await askForWantedKinds(deps);
      if (asked.length > 0) log.info({ kinds: asked }, 'directory.resend_requested');
    }
    const isWhole = !wanted.some(({ isMissing }) => isMissing);
    if (isWhole && !complete) log.info({ kinds }, 'directory.complete');
    complete = isWhole;
  }

  return {
    name: 'directory-resend',
    isReady: () => complete,
    async run(signal) {
      while (!signal.aborted) {
        try {
          await look();
        } catch (error) {
          log.warn({ err: error }, 'directory.resend_check_failed');
        }
        const wait = complete ? LOOK_AGAIN_WHEN_COMPLETE_MS : LOOK_AGAIN_MS;
        await delay(wait, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
