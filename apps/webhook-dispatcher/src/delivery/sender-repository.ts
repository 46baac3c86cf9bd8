import { mapped, type Database } from '@pay/persistence';
import { LEASE_SECONDS } from '../domain/delivery';

/**
 * An advisory lock has two numbers: this kind and a hash of the sender id. It is shared, so that two senders with the
 * same hash do not exclude each other.
 */
const LOCK_KIND = `hashtext('webhook-dispatcher senders')`;
const lockOf = (id: string): string => `${LOCK_KIND}, hashtext(${id}::text)`;

/** A sender without its lock counts as dead after this time. A lost connection is replaced sooner. */
export const MISSED_SECONDS = 3;

/** A connection that is used for its session only. */
export interface HeldSession {
  /** Rejects if the connection is lost. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** The server releases the lock with the session, so it is released however the process ends. */
export async function holdSession(db: Pick<Database, 'dataSource'>, id: string): Promise<HeldSession> {
  const runner = db.dataSource.createQueryRunner();
  try {
    await runner.query(`select pg_advisory_lock_shared(${lockOf('$1')})`, [id]);
    await runner.query('insert into senders (id) values ($1) on conflict (id) do update set missed_at = null', [id]);
  } catch (error) {
    await runner.release();
    throw error;
  }
  return {
    async check() {
      await runner.query('select 1');
    },
    async release() {
      try {
        await runner.query('delete from senders where id = $1', [id]);
        await runner.query(`select pg_advisory_unlock_shared(${lockOf('$1')})`, [id]);
      } finally {
        await runner.release();
      }
    },
  };
}

export const findDeadSenders = mapped(({ id }: { readonly id: string }) => id).rows(
  'find-dead-senders',
  `with standing as materialized (
     select s.id, s.missed_at, exists (
       select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())
         and classid = (${LOCK_KIND}::bigint & 4294967295)::oid and objid = (hashtext(s.id::text)::bigint & 4294967295)::oid
     ) as is_alive
     from senders s
   ), noted as (
     update senders s set missed_at = case when not t.is_alive then now() end
     from standing t where s.id = t.id and t.is_alive = (s.missed_at is not null)
   )
   select id from standing where not is_alive and missed_at <= now() - interval '${MISSED_SECONDS} seconds'`,
);

/**
 * Ends the leases of dead senders, so that the next claim closes their attempts as UNKNOWN; returns their number.
 * Searches by endpoint, because an index by owner would cost two writes per delivery and is needed only after a crash.
 */
export const releaseLeasesOf = mapped((row: { readonly count: number }) => row.count).onlyRow<[ids: readonly string[]]>(
  'release-leases-of-dead-senders',
  `with recursive dead as materialized (
     select id from senders where id = any($1::uuid[]) for update skip locked
   ), leased_endpoint as (
     (select endpoint_id from deliveries where next_attempt_at is not null order by endpoint_id, next_attempt_at limit 1)
     union all
     select further.endpoint_id from leased_endpoint seen cross join lateral (
       select endpoint_id from deliveries where next_attempt_at is not null and endpoint_id > seen.endpoint_id
       order by endpoint_id, next_attempt_at limit 1
     ) further
   ), left_behind as materialized (
     select d.id from leased_endpoint e cross join lateral (
       select id from deliveries
       where endpoint_id = e.endpoint_id and next_attempt_at > now()
         and next_attempt_at <= now() + interval '${LEASE_SECONDS} seconds' and lease_owner in (select id from dead)
       for update skip locked
     ) d
   ), released as (
     update deliveries d set next_attempt_at = now() from left_behind l where d.id = l.id
     returning d.id, d.endpoint_id, d.attempt
   ), unprobed as (
     update endpoints e set breaker_until = now() from released r
     join attempts a on a.delivery_id = r.id and a.attempt = r.attempt
     where a.trigger = 'probe' and e.id = r.endpoint_id and e.breaker_until is not null
   ), forgotten as (
     delete from senders s using dead where s.id = dead.id
   )
   select count(*)::int as count from released`,
);
