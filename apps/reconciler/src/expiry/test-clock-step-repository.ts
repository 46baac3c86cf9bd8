import type { Tenant } from '@pay/contracts';
import { inTransaction, oldRowsInOrder, statement, type OldRows, type Queryable } from '@pay/persistence';

export interface StoredStep {
  readonly beganAt: Date;
  readonly isMoved: boolean;
}

const BEGIN = statement(
  'begin-test-clock-step',
  `insert into test_clock_steps (id, merchant_id, environment, milliseconds) values ($1, $2, $3, $4) on conflict (id) do nothing`,
);
const FIND = statement(
  'find-test-clock-step',
  `select began_at as "beganAt", is_moved as "isMoved" from test_clock_steps
   where id = $1 and merchant_id = $2 and environment = $3`,
);

/** Stores a new step. Undefined for a step of another tenant. */
export async function beginStep(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
  milliseconds: number,
): Promise<StoredStep | undefined> {
  await db.execute(BEGIN, [id, merchantId, environment, milliseconds]);
  const [step] = await db.query<StoredStep>(FIND, [id, merchantId, environment]);
  return step;
}

/** Moves the match windows of a step's tenant, once per step. Returns the number of moved windows. */
export const moveWindows = inTransaction.command<[stepId: string, matchWindowMs: number]>(
  'move-match-windows',
  `with step as materialized (
     update test_clock_steps set is_moved = true where id = $1 and not is_moved returning merchant_id, environment, milliseconds, began_at
   ), waiting as materialized (
     select e.sms_event_id from evidence e, step
     where e.state = 'WAITING' and e.merchant_id = step.merchant_id and e.environment = step.environment and e.ingested_at < step.began_at
     order by e.sms_event_id for no key update of e
   )
   update evidence e
   set waits_until = coalesce(e.waits_until, e.ingested_at + $2::bigint * interval '1 millisecond') - step.milliseconds * interval '1 millisecond'
   from waiting, step where e.sms_event_id = waiting.sms_event_id`,
);

/** Old steps that are no longer queried. */
export function oldSteps(before: Date): OldRows {
  return oldRowsInOrder({ table: 'test_clock_steps', order: 'began_at', orderType: 'timestamptz', before });
}
