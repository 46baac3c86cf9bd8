import type { DeliveredEvent, Environment, WebhookEvent } from '@pay/contracts';
import { arraysOf, command, count, rows, statement, type Transaction } from '@pay/persistence';
import { LEASE_SECONDS } from '../domain/delivery';
import { IS_STARTING_SLOWLY, isSendable, SECRETS_NOW } from '../endpoints/endpoint-repository';

export interface LeasedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly environment: Environment;
  /** Null for an alert and a test. */
  readonly paymentIntentId: string | null;
  readonly eventType: DeliveredEvent;
  readonly occurredAt: Date;
  readonly idempotencyKey: string;
  readonly body: string;
  readonly attempt: number;
  /** Attempts before the last restart of the schedule; 0 without a restart. */
  readonly scheduleFrom: number;
  /** Failed early attempts since the last scheduled one; probes count only after one. Null if this is scheduled. */
  readonly earlyFailures: number | null;
  readonly url: string;
  readonly isVerified: boolean;
  readonly sealedSecret: string;
  readonly nextSealedSecret: string | null;
  /** Time of the first of consecutive 410 responses. */
  readonly goneAt: Date | null;
  /** True if the previous result of the endpoint was a failure. */
  readonly isFailing: boolean;
  /** End of the last interruption of the endpoint; null without one, or if unknown. */
  readonly recoveredAt: Date | null;
  readonly trigger: 'schedule' | 'recover' | 'resend' | 'probe';
  /** True if it was requested by `redeliver`, as a probe too. */
  readonly isRequested: boolean;
  readonly onFreshSocket?: boolean;
}

export interface PlannedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** Null for an alert. */
  readonly paymentIntentId: string | null;
  readonly eventId: string;
  readonly eventType: WebhookEvent;
  readonly occurredAt: string;
  readonly idempotencyKey: string;
  readonly body: string;
  /**
   * LEASED: by this process, with its first attempt. DUE: any process may claim it. HELD: the endpoint may not receive
   * it yet.
   */
  readonly start: 'LEASED' | 'DUE' | 'HELD';
}

const INSERT = statement(
  'insert-deliveries',
  `with planned as (
     insert into deliveries (id, endpoint_id, merchant_id, environment, payment_intent_id, event_id, event_type, occurred_at,
       idempotency_key, body, attempt, next_attempt_at, lease_owner)
     select p.id, p.endpoint_id, p.merchant_id, p.environment, p.payment_intent_id, p.event_id, p.event_type, p.occurred_at,
       p.idempotency_key, p.body,
       case p.start when 'LEASED' then 1 else 0 end,
       case p.start when 'LEASED' then now() + interval '${LEASE_SECONDS} seconds' when 'DUE' then now() end,
       case p.start when 'LEASED' then $12::uuid end
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[],
       $9::text[], $10::text[], $11::text[]) as p (id, endpoint_id, merchant_id, environment, payment_intent_id, event_id,
       event_type, occurred_at, idempotency_key, body, start)
     on conflict do nothing
     returning id, attempt
   ), started as (
     insert into attempts (delivery_id, attempt, trigger, started_at, worker_id)
     select id, attempt, 'schedule', now(), $12::uuid from planned where attempt > 0
   )
   select id from planned`,
);

/**
 * Without a conflict target, because a concurrent duplicate also has the same primary key. Reports the inserted ids
 * after COMMIT.
 */
export function insertDeliveries(
  tx: Transaction,
  workerId: string,
  planned: readonly PlannedDelivery[],
  onCommit: (inserted: ReadonlySet<string>) => void,
): void {
  const values = [
    ...arraysOf(planned, 'id', 'endpointId', 'merchantId', 'environment', 'paymentIntentId', 'eventId', 'eventType'),
    ...arraysOf(planned, 'occurredAt', 'idempotencyKey', 'body', 'start'),
    workerId,
  ];
  tx.enqueue<{ id: string }>(INSERT, values, (rows) => onCommit(new Set(rows.map(({ id }) => id))));
}

/** An endpoint without a free slot never displaces others. */
export interface ClaimRoom {
  readonly total: number;
  /** Slots for repeated attempts and attempts to failing endpoints. The others are reserved. */
  readonly unreserved: number;
  /** For endpoints that are not named. */
  readonly perEndpoint: number;
  readonly named: ReadonlyMap<string, number>;
  /** For each named unverified endpoint. */
  readonly unverified: ReadonlyMap<string, number>;
  /** True if an endpoint with a single free slot gets its oldest delivery instead of a first attempt. */
  readonly isOldestPreferred: boolean;
}

export interface ClaimedDelivery extends LeasedDelivery {
  /** True if no first attempt of the endpoint is left. Unknown if the claim reached its total limit. */
  readonly isDrained: boolean;
}

/** Deliveries of an endpoint that are compared for its probe. To try more would take longer than most of them wait. */
export const PROBE_CANDIDATES = 100;
/**
 * SQL condition: it failed early, its next scheduled attempt is later, and it is not leased. It is a probe only if it
 * became due after the pause, for example by `makeEarlyProbesDue`.
 */
export const HAS_FAILED_EARLY = `(failed_early and early_failures > 0 and coalesce(planned_at > now(), false) and lease_owner is null)`;

/** SQL condition: a recovery was requested since the last attempt. The claim may precede its scan. */
const BEGINS_AGAIN = `coalesce((
         select e.recovery_requested_at > a.started_at and e.recovery_requested_at <= now() from endpoints e, attempts a
         where e.id = d.endpoint_id and a.delivery_id = d.id and a.attempt = d.attempt), false)`;

/**
 * A skip scan finds endpoints with due deliveries, and one statement leases those that fit and writes their attempts;
 * it closes attempts of lost workers as UNKNOWN (early ones use up no scheduled attempt, unless the next one begins
 * after its scheduled time). It holds deliveries that an endpoint may not receive, or lets early ones wait for their
 * schedule if it is switched off; its lock on the endpoint makes a concurrent verification wait and then find them.
 */
export const claimDue = rows<
  ClaimedDelivery,
  [workerId: string, room: ClaimRoom, verifiedEnvironments: readonly Environment[]]
>(
  'claim-due-deliveries',
  // Some deliveries always fail, so first attempts precede repeated ones, also as the probe. One of several slots, and
  // sometimes a single one, is for the oldest delivery, so that first attempts do not hold up repeated ones.
  `with recursive next_of_endpoint as (
     (select endpoint_id, next_attempt_at, attempt from deliveries where next_attempt_at is not null
      order by endpoint_id, next_attempt_at limit 1)
     union all
     select further.endpoint_id, further.next_attempt_at, further.attempt
     from next_of_endpoint seen cross join lateral (
       select endpoint_id, next_attempt_at, attempt from deliveries
       where next_attempt_at is not null and endpoint_id > seen.endpoint_id
       order by endpoint_id, next_attempt_at limit 1
     ) further
   ), due_endpoint as materialized (
     select n.endpoint_id, n.next_attempt_at, n.attempt > 0 as is_retried, ${isSendable('$6')} as is_sendable,
       e.breaker_until, e.breaker_until is not null as is_broken, e.failing_since is not null as is_failing,
       case when e.breaker_until > now() then 0
         when e.breaker_until is not null then least(given.room, 1)
         when ${IS_STARTING_SLOWLY} then
           given.room - greatest(0, $3::int - power(2, floor(extract(epoch from now() - e.recovered_at)))::int)
         else given.room end as room
     from next_of_endpoint n join endpoints e on e.id = n.endpoint_id
     cross join lateral (
       select least(coalesce(($4::jsonb ->> n.endpoint_id::text)::int, $3::int),
         case when not e.is_verified then ($7::jsonb ->> n.endpoint_id::text)::int end) as room
     ) given
     where n.next_attempt_at <= now()
   ), probing as materialized (
     select e.id from due_endpoint due join endpoints e on e.id = due.endpoint_id
     where due.is_broken and due.is_sendable and due.room > 0 and e.breaker_until <= now()
     order by e.id for no key update of e skip locked
   ), served_endpoint as (
     select endpoint_id, room, is_failing, is_broken, breaker_until from (
       select endpoint_id, room, is_failing, is_broken, breaker_until, row_number() over (partition by is_failing, is_retried order by next_attempt_at) as place
       from due_endpoint
       where is_sendable and room > 0 and (not is_broken or endpoint_id in (select id from probing))
     ) ranked
     where place <= case when is_failing then least($1::int, $2::int) else $1::int end
   ), candidate as (
     select id, next_attempt_at, is_reserved, row_number() over (partition by is_reserved order by next_attempt_at) as place,
       count(*) over (partition by endpoint_id) < room and not is_failing as is_drained
     from (
       select d.id, d.next_attempt_at, e.endpoint_id, e.room, e.is_failing, d.attempt = 0 and not e.is_failing as is_reserved
       from served_endpoint e cross join lateral (
         select id, attempt, next_attempt_at from (
           (select id, attempt, next_attempt_at from deliveries
            where endpoint_id = e.endpoint_id and next_attempt_at <= now() and attempt = 0
            order by next_attempt_at limit greatest(e.room - 1, (e.is_broken or not $8::bool)::int))
           union
           (select id, attempt, next_attempt_at from (
              select * from deliveries where endpoint_id = e.endpoint_id and next_attempt_at <= now()
              order by next_attempt_at limit case when e.is_broken then ${PROBE_CANDIDATES} else e.room end
            ) oldest
            where not (e.is_broken and ${HAS_FAILED_EARLY}) order by next_attempt_at limit e.room)
           union
           (select id, attempt, next_attempt_at from deliveries
            where endpoint_id = e.endpoint_id and next_attempt_at between e.breaker_until and now()
            order by next_attempt_at limit e.room)
         ) due order by attempt > 0, next_attempt_at limit e.room
       ) d
     ) found
   ), chosen as (
     select id, is_drained from candidate where is_reserved or place <= $2::int order by next_attempt_at limit $1::int
   ), locked as materialized (
     select d.id, chosen.is_drained, d.resends > 0 as is_requested, case when probing.id is not null then 'probe' when d.resends > 0 then 'resend'
       else coalesce(d.next_trigger, 'schedule') end as trigger
     from chosen cross join lateral (
       select id, endpoint_id, resends, next_trigger from deliveries
       where id = chosen.id and next_attempt_at <= now() for update skip locked
     ) d left join probing on probing.id = d.endpoint_id
   ), leased as (
     update deliveries d set attempt = d.attempt + 1, lease_owner = $5::uuid, next_trigger = null,
       schedule_from = case when locked.is_requested then d.attempt
         else d.schedule_from + coalesce((d.lease_owner is not null)::int - (d.planned_at <= now())::int, 0) end,
       planned_at = case when d.planned_at > now() then d.planned_at end,
       early_failures = case when d.planned_at is not null and d.failed_early and ${BEGINS_AGAIN} then 0 else d.early_failures end,
       resends = d.resends - locked.is_requested::int,
       next_attempt_at = now() + interval '${LEASE_SECONDS} seconds'
     from locked where d.id = locked.id
     returning d.id, d.endpoint_id, d.environment, d.payment_intent_id, d.event_type, d.occurred_at, d.idempotency_key, d.body,
       d.attempt, d.schedule_from,
       case when d.planned_at is not null then case when d.failed_early then d.early_failures else 0 end end as early_failures,
       locked.trigger, locked.is_drained, locked.is_requested
   ), probed as (
     update endpoints e set breaker_until = now() + interval '${LEASE_SECONDS} seconds'
     from leased where leased.trigger = 'probe' and e.id = leased.endpoint_id
   ), barred_endpoint as materialized (
     select e.id, e.deleted_at is not null as is_deleted, e.is_verified or e.environment <> all($6::text[]) as is_verified
     from due_endpoint due join endpoints e on e.id = due.endpoint_id
     where not due.is_sendable and not ${isSendable('$6')} order by e.id for key share of e skip locked
   ), barred as materialized (
     select d.id, e.is_deleted, not e.is_deleted and e.is_verified and d.is_early as is_early from barred_endpoint e
     cross join lateral (
       select id, coalesce(planned_at > now(), false) as is_early from deliveries where endpoint_id = e.id and next_attempt_at <= now()
       order by next_attempt_at limit 1000 for update skip locked
     ) d
   ), held_back as (
     update deliveries d set next_attempt_at = case when barred.is_early then d.planned_at end, lease_owner = null, planned_at = null,
       schedule_from = d.schedule_from - (barred.is_early and d.lease_owner is null)::int,
       status = case when barred.is_deleted then 'FAILED' else d.status end,
       ended_at = case when barred.is_deleted then now() end
     from barred where d.id = barred.id returning d.id, d.attempt
   ), lost as (
     update attempts a set outcome = 'UNKNOWN', finished_at = now()
     from (select id, attempt - 1 as attempt from leased union all select id, attempt from held_back) last
     where a.delivery_id = last.id and a.attempt = last.attempt and a.outcome is null
   ), started as (
     insert into attempts (delivery_id, attempt, trigger, started_at, worker_id)
     select id, attempt, trigger, now(), $5::uuid from leased
   )
   select l.id, l.endpoint_id as "endpointId", l.environment, l.payment_intent_id as "paymentIntentId",
     l.event_type as "eventType", l.occurred_at as "occurredAt", l.idempotency_key as "idempotencyKey", l.body, l.attempt,
     l.schedule_from as "scheduleFrom", l.early_failures as "earlyFailures", l.trigger, e.url, e.is_verified as "isVerified", ${SECRETS_NOW}, e.gone_at as "goneAt",
     e.failing_since is not null as "isFailing", e.recovered_at as "recoveredAt", l.is_drained as "isDrained",
     l.is_requested as "isRequested"
   from leased l join endpoints e on e.id = l.endpoint_id order by l.attempt > 1, l.id`,
  (workerId, room, verifiedEnvironments) => [
    room.total,
    room.unreserved,
    room.perEndpoint,
    JSON.stringify(Object.fromEntries(room.named)),
    workerId,
    verifiedEnvironments,
    JSON.stringify(Object.fromEntries(room.unverified)),
    room.isOldestPreferred,
  ],
);

/** Releases leases without counting an attempt. A breaker that another result has closed meanwhile stays closed. */
export const releaseLeases = command(
  'hand-back-deliveries',
  `with unsent as (
     select * from unnest($1::uuid[], $2::int[], $4::bool[]) as u (delivery_id, attempt, is_requested)
   ), returned as (
     update deliveries d set attempt = d.attempt - 1, lease_owner = null, next_attempt_at = now(),
       resends = d.resends + u.is_requested::int, next_trigger = case a.trigger when 'recover' then 'recover' end
     from unsent u join attempts a on a.delivery_id = u.delivery_id and a.attempt = u.attempt
     where d.id = u.delivery_id and d.attempt = u.attempt and d.lease_owner = $3::uuid
     returning d.id, d.attempt + 1 as attempt, d.endpoint_id, a.trigger
   ), unprobed as (
     update endpoints e set breaker_until = now() from returned r
     where r.trigger = 'probe' and e.id = r.endpoint_id and e.breaker_until is not null
   )
   delete from attempts a using returned r where a.delivery_id = r.id and a.attempt = r.attempt`,
  (workerId: string, unsent: readonly Pick<LeasedDelivery, 'id' | 'attempt' | 'isRequested'>[]) => [
    ...arraysOf(unsent, 'id', 'attempt'),
    workerId,
    unsent.map(({ isRequested }) => isRequested),
  ],
);

/** More due deliveries of one endpoint wait for its own slots, so further processes would help little. */
const MOST_DUE_OF_ENDPOINT = 200;

/** At most 100,000. Excludes deliveries that wait for a probe or for the request limit of an unverified endpoint. */
export const countDue = count(
  'count-due-deliveries',
  `select count(*)::int as total from (
     select from endpoints e cross join lateral (
       select from deliveries d where d.endpoint_id = e.id and d.next_attempt_at <= now() and d.lease_owner is null
       limit ${MOST_DUE_OF_ENDPOINT}
     ) waiting
     where e.breaker_until is null and e.is_verified and e.deleted_at is null limit 100000
   ) due`,
);

/**
 * Of each environment, since when the oldest first attempt has been due. Excludes unverified and failing endpoints, and
 * those with a request in flight: their deliveries wait for limits of the endpoint.
 */
export const oldestFirstAttempts = rows<{ readonly environment: Environment; readonly oldest: Date }>(
  'oldest-first-attempts',
  `select e.environment, min(first_attempt.due_at) as oldest from endpoints e cross join lateral (
     select min(next_attempt_at) as due_at from deliveries
     where endpoint_id = e.id and next_attempt_at <= now() and attempt = 0
   ) first_attempt
   where first_attempt.due_at is not null and e.is_active and e.is_verified and e.deleted_at is null and e.failing_since is null and not exists (
     select from deliveries
     where endpoint_id = e.id and next_attempt_at > now() and next_attempt_at <= now() + interval '${LEASE_SECONDS} seconds'
       and lease_owner is not null
   )
   group by e.environment`,
);
