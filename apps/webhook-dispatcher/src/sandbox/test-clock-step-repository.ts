import type { Tenant } from '@pay/contracts';
import { command, inTransaction, mapped, oldRowsInOrder, type OldRows } from '@pay/persistence';

export const beginStep = command(
  'begin-test-clock-step',
  `insert into test_clock_steps (id, merchant_id, environment, milliseconds, milliseconds_left) values ($1, $2, $3, $4, $4)
   on conflict (id) do nothing`,
  (tenant: Tenant, id: string, milliseconds: number) => [id, tenant.merchantId, tenant.environment, milliseconds],
);

/**
 * Deliveries that become due within this fraction of the shortest wait, plus a second, are sent together, because their
 * jitter is a fifth of the wait.
 */
const TOGETHER = 1.25;

export interface Jump {
  readonly left: number;
  readonly jumped: number;
  /** Includes deliveries in progress. */
  readonly due: number;
}

/**
 * Jumps to the next due time, at most by the remaining time, by subtracting the wait from every time that the sender
 * compares with now. Undefined for a step of another tenant.
 */
export const jumpToNextDue = inTransaction.firstRow<Jump, [tenant: Tenant, stepId: string]>(
  'jump-to-next-due',
  // No jump while a delivery is due or in progress. Deliveries that were planned after the start of the step are
  // ignored; behind an open breaker a delivery is due when the breaker closes.
  `with step as materialized (
     select id, merchant_id, environment, milliseconds_left, began_at from test_clock_steps
     where id = $1 and merchant_id = $2 and environment = $3 for update
   ), waiting as materialized (
     select d.id, d.next_attempt_at, d.lease_owner is not null as is_leased,
       extract(epoch from greatest(d.next_attempt_at, e.breaker_until) - now()) * 1000 as wait
     from step
     join deliveries d on d.merchant_id = step.merchant_id and d.environment = step.environment
       and d.status in ('PENDING', 'RETRYING') and d.next_attempt_at is not null and d.created_at < step.began_at
     join endpoints e on e.id = d.endpoint_id
   ), soonest as materialized (
     select count(*) filter (where is_leased or wait <= 0) as due, min(wait) as wait from waiting
   ), jump as materialized (
     select soonest.due, case when soonest.due > 0 then 0
       else least(step.milliseconds_left, ceil(coalesce(
         (select max(w.wait) from waiting w where w.wait <= soonest.wait * ${TOGETHER} + 1000), step.milliseconds_left))) end as length
     from step, soonest
   ), moved as (
     update deliveries d set next_attempt_at = d.next_attempt_at - jump.length * interval '1 millisecond',
       planned_at = d.planned_at - jump.length * interval '1 millisecond'
     from waiting w, jump
     where jump.length > 0 and d.id = w.id and d.lease_owner is null and greatest(d.next_attempt_at, d.planned_at) > now()
   ), shifted as (
     update endpoints e set breaker_until = e.breaker_until - jump.length * interval '1 millisecond',
       failing_since = e.failing_since - jump.length * interval '1 millisecond',
       early_probes_from = e.early_probes_from - jump.length * interval '1 millisecond',
       gone_at = e.gone_at - jump.length * interval '1 millisecond'
     from step, jump
     where jump.length > 0 and e.merchant_id = step.merchant_id and e.environment = step.environment
       and (e.failing_since is not null or e.gone_at is not null)
   ), noted as (
     update test_clock_steps s set milliseconds_left = s.milliseconds_left - jump.length
     from step, jump where s.id = step.id and jump.length > 0
   )
   select (step.milliseconds_left - jump.length)::float8 as left, jump.length::float8 as jumped,
     (case when jump.length = 0 then jump.due else (select count(*) from waiting w where w.wait <= jump.length) end)::int as due
   from step, jump`,
  ({ merchantId, environment }, stepId) => [stepId, merchantId, environment],
);

/** Counts intents without an event in the feed, or with a delivery that is due or in progress. */
export const countUnsettled = mapped((row: { readonly unsettled: number }) => row.unsettled).onlyRow(
  'count-unsettled-intents',
  `select count(*)::int as unsettled from unnest($1::uuid[]) as asked (id)
   where not exists (
     select from events e where e.payment_intent_id = asked.id and e.merchant_id = $2 and e.environment = $3)
   or exists (
     select from deliveries d join endpoints e on e.id = d.endpoint_id
     where d.payment_intent_id = asked.id and d.merchant_id = $2 and d.environment = $3 and d.status in ('PENDING', 'RETRYING')
       and (d.lease_owner is not null or greatest(d.next_attempt_at, e.breaker_until) <= now()))`,
  ({ merchantId, environment }: Tenant, intentIds: readonly string[]) => [intentIds, merchantId, environment],
);

export function oldSteps(before: Date): OldRows {
  return oldRowsInOrder({ table: 'test_clock_steps', order: 'began_at', orderType: 'timestamptz', before });
}
