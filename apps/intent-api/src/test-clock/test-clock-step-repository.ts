import type { Tenant, TestClockStep } from '@pay/contracts';
import { command, inTransaction, mapped, oldRowsInOrder, onlyRow, type OldRows } from '@pay/persistence';
import { intentColumnsOf, storedIntent } from '../db/intent-row';

export interface StoredStep {
  readonly id: string;
  readonly merchantId: string;
  readonly beganAt: Date;
  readonly isMoved: boolean;
}

export const beginStep = command(
  'begin-test-clock-step',
  `insert into test_clock_steps (id, merchant_id, environment, milliseconds, intent_ids) values ($1, $2, $3, $4, $5)
   on conflict (id) do nothing`,
  (
    { merchantId, environment }: Tenant,
    id: string,
    { milliseconds, paymentIntentIds }: Pick<TestClockStep, 'milliseconds' | 'paymentIntentIds'>,
  ) => [id, merchantId, environment, milliseconds, paymentIntentIds ?? null],
);

export const lockStep = inTransaction.firstRow<StoredStep, [tenant: Tenant, id: string]>(
  'lock-test-clock-step',
  `select id, merchant_id as "merchantId", began_at as "beganAt", is_moved as "isMoved"
   from test_clock_steps where id = $1 and merchant_id = $2 and environment = $3 for update`,
  ({ merchantId, environment }, id) => [id, merchantId, environment],
);

/** The row of the step must be locked. */
export const moveExpiries = inTransaction.mapped(storedIntent).rows<[stepId: string, limit: number]>(
  'move-expiries',
  // An expiry is never moved to before the step, so that a payment that was in time stays in time. Rows are locked in
  // id order, like those of decisions.
  `with step as (select * from test_clock_steps where id = $1),
   page as materialized (
     select intent.id from payment_intents intent, step
     where intent.merchant_id = step.merchant_id and intent.environment = step.environment
       and intent.status in ('PENDING', 'REVIEW_REQUIRED') and intent.id > step.done_to
       and (step.intent_ids is null or intent.id = any(step.intent_ids))
       and intent.created_at < step.began_at and intent.expires_at > step.began_at
     order by intent.id limit $2 for no key update of intent
   )
   update payment_intents intent
   set expires_at = greatest(intent.expires_at - step.milliseconds * interval '1 millisecond', step.began_at), sequence = intent.sequence + 1
   from page, step where intent.id = page.id
   returning ${intentColumnsOf('intent')}`,
);

export interface StepProgress {
  readonly doneTo: string | undefined;
  readonly expiring: readonly string[];
  readonly isMoved: boolean;
}

export const noteProgress = inTransaction.command(
  'note-test-clock-step',
  'update test_clock_steps set done_to = coalesce($2::uuid, done_to), expiring = expiring || $3::uuid[], is_moved = $4 where id = $1',
  (stepId: string, progress: StepProgress) => [stepId, progress.doneTo ?? null, progress.expiring, progress.isMoved],
);

export const findExpiring = onlyRow<{ expiring: string[]; pending: number }, [stepId: string]>(
  'find-expiring-of-step',
  `select step.expiring, (
     select count(*)::int from payment_intents intent where intent.id = any(step.expiring) and intent.status = 'PENDING'
   ) as pending
   from test_clock_steps step where step.id = $1`,
);

/** Milliseconds until the last expiry of a pending intent; null if none expires within the given time. */
export const findLastExpiry = mapped((row: { readonly milliseconds: number | null }) => row.milliseconds).onlyRow(
  'find-last-expiry',
  `select ceil(extract(epoch from max(expires_at) - now()) * 1000)::float8 as milliseconds from payment_intents
   where merchant_id = $1 and environment = $2 and status = 'PENDING'
     and expires_at > now() and expires_at <= now() + $3::bigint * interval '1 millisecond'`,
  ({ merchantId, environment }: Tenant, within: number) => [merchantId, environment, within],
);

export function oldSteps(before: Date): OldRows {
  return oldRowsInOrder({ table: 'test_clock_steps', order: 'began_at', orderType: 'timestamptz', before });
}
