import { arraysOf, rows, statement, type Database } from '@pay/persistence';
import type { WaitingTenant } from './waiting-sms';

// Rows of processes that have died are deleted by the others.
const REPORT = statement(
  'report-waiting-sms',
  `with given as materialized (
     select * from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as given (merchant_id, environment, oldest)
   ), gone as (
     delete from waiting_sms where ctid = any(array(
       select w.ctid from waiting_sms w
       where case when w.process_id <> $1 then w.reported_at < now() - interval '1 minute'
         else not exists (select from given where (given.merchant_id, given.environment) = (w.merchant_id, w.environment)) end
       for update skip locked))
   )
   insert into waiting_sms (process_id, merchant_id, environment, oldest, reported_at)
   select $1, merchant_id, environment, oldest, now() from given
   on conflict (process_id, merchant_id, environment) do update
     set oldest = excluded.oldest, reported_at = excluded.reported_at`,
);

/**
 * Replaces what this process has reported. The report is visible without waiting for a standby: SMS wait in memory
 * while commits hang, and a lost report is repeated.
 */
export async function reportWaiting(
  db: Pick<Database, 'transaction'>,
  processId: string,
  tenants: readonly WaitingTenant[],
): Promise<void> {
  await db.transaction(async (tx) => {
    tx.enqueue('set local synchronous_commit = off');
    await tx.execute(REPORT, [processId, ...arraysOf(tenants, 'merchantId', 'environment', 'oldest')]);
  });
}

/** Tenants whose SMS wait in the memory of any process. */
export const waitingTenants = rows<WaitingTenant>(
  'find-waiting-sms',
  // A process reports several times per second while SMS wait.
  `select merchant_id as "merchantId", environment, min(oldest) as oldest from waiting_sms
   where reported_at > now() - interval '10 seconds' group by merchant_id, environment`,
);
