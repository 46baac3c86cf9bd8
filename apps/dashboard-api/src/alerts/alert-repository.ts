import type { AlertKind, Environment, Problem, Tenant } from '@pay/contracts';
import {
  daysBefore,
  firstRow,
  inTransaction,
  oldRowsById,
  pageOfRows,
  rows,
  type OldRows,
  type Queryable,
  type Transaction,
} from '@pay/persistence';
import type { WatchedTenant } from './alert-settings-repository';

/** Minimum time between two mails to a tenant. */
const MAIL_PAUSE_MINUTES = 15;
const KEPT_DAYS = 90;
const MOST_MAILED_AT_ONCE = 500;

export interface AlertRow extends Tenant {
  readonly id: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly name: string | null;
  readonly count: number;
  readonly since: Date;
  readonly openedAt: Date;
  readonly mailedAt: Date | null;
  readonly closedAt: Date | null;
}

const COLUMNS = `a.id, a.merchant_id as "merchantId", a.environment, a.kind, a.subject, a.name, a.count, a.since,
    a.opened_at as "openedAt", a.mailed_at as "mailedAt", a.closed_at as "closedAt"`;

// A replica with a fast clock may have written a time far in the future. Such a time must not block the other replicas.
const takeTurn = firstRow<object, [now: Date, next: Date]>(
  'alert-round-take',
  `update alert_rounds set next_at = $2
   where next_at <= $1 or next_at > $2::timestamptz + interval '5 minutes' returning id`,
);

/** False if another replica takes this round. */
export async function takeRound(db: Queryable, now: Date, next: Date): Promise<boolean> {
  return (await takeTurn(db, now, next)) !== undefined;
}

const open = rows<AlertRow, [problems: string, now: Date]>(
  'alerts-open',
  `insert into merchant_alerts as a (id, merchant_id, environment, kind, subject, name, count, since, opened_at)
   select id, "merchantId", environment, kind, subject, name, count, since, $2::timestamptz
   from jsonb_to_recordset($1::jsonb) as problem
     (id uuid, "merchantId" uuid, environment text, kind text, subject text, name text, count integer, since timestamptz)
   order by "merchantId", environment, kind, subject
   on conflict (merchant_id, environment, kind, subject) where closed_at is null
   do update set count = excluded.count, since = excluded.since
   where (a.count, a.since) is distinct from (excluded.count, excluded.since)
   returning ${COLUMNS}`,
);

export interface NewAlert extends Problem {
  readonly id: string;
}

/** Returns only alerts of problems that had none. */
export async function openAlerts(tx: Transaction, problems: readonly NewAlert[], now: Date): Promise<AlertRow[]> {
  if (problems.length === 0) return [];
  const ids = new Set(problems.map(({ id }) => id));
  // An existing alert keeps its id, so a row with a new id was inserted.
  return (await open(tx, JSON.stringify(problems), now)).filter(({ id }) => ids.has(id));
}

/** Without a subject: all alerts of the kind and tenant. */
type KeptAlerts = Pick<Problem, 'merchantId' | 'environment' | 'kind'> & { readonly subject?: string };

export const closeOtherAlerts = inTransaction.rows<
  AlertRow,
  [tenants: readonly Tenant[], kinds: readonly AlertKind[], kept: readonly KeptAlerts[], now: Date]
>(
  'alerts-close',
  `update merchant_alerts a set closed_at = $4
   from jsonb_to_recordset($1::jsonb) as tenant ("merchantId" uuid, environment text)
   where a.merchant_id = tenant."merchantId" and a.environment = tenant.environment and a.kind = any ($2::text[])
     and a.closed_at is null and not exists (
       select from jsonb_to_recordset($3::jsonb) as kept ("merchantId" uuid, environment text, kind text, subject text)
       where kept."merchantId" = a.merchant_id and kept.environment = a.environment and kept.kind = a.kind
         and coalesce(kept.subject, a.subject) = a.subject)
   returning ${COLUMNS}`,
  (tenants, kinds, kept, now) => [JSON.stringify(tenants), kinds, JSON.stringify(kept), now],
);

/** Closes alerts of kinds that are off and of inactive merchants. */
export const closeUnwatchedAlerts = inTransaction.rows<AlertRow, [watched: readonly WatchedTenant[], now: Date]>(
  'alerts-close-off',
  // Joins by key: comparing each open alert with all tenants takes seconds.
  `update merchant_alerts a set closed_at = $2
   where a.closed_at is null
     and not coalesce($1::jsonb -> (a.merchant_id::text || a.environment) ? a.kind, false)
   returning ${COLUMNS}`,
  (watched, now) => {
    const entries = watched.map(({ merchantId, environment, kinds }) => [`${merchantId}${environment}`, kinds]);
    return [JSON.stringify(Object.fromEntries(entries)), now];
  },
);

export interface AlertToMail extends AlertRow {
  readonly merchantName: string;
}

/** Rows that another replica has locked are skipped, because that replica mails them. */
export const lockAlertsToMail = rows<AlertToMail, [now: Date]>(
  'alerts-to-mail',
  `select ${COLUMNS}, m.name as "merchantName"
   from merchant_alerts a join merchants m on m.id = a.merchant_id
   where a.closed_at is null and a.mailed_at is null
     and exists (
       select from memberships p join users u on u.id = p.user_id
       where p.merchant_id = a.merchant_id and p.role in ('OWNER', 'ADMIN') and p.is_active and u.deleted_at is null)
     and not exists (
       select from merchant_alerts other
       where other.merchant_id = a.merchant_id and other.environment = a.environment
         and other.mailed_at > $1::timestamptz - interval '${MAIL_PAUSE_MINUTES} minutes')
   order by a.merchant_id, a.environment, a.kind, a.since limit ${MOST_MAILED_AT_ONCE}
   for update of a skip locked`,
);

export const setMailed = inTransaction.command<[ids: readonly string[], now: Date]>(
  'alerts-mailed',
  'update merchant_alerts set mailed_at = $2 where id = any ($1::uuid[])',
);

export const recipientsOf = rows<{ readonly email: string }, [merchantId: string]>(
  'alert-recipients',
  `select u.email from memberships p join users u on u.id = p.user_id
   where p.merchant_id = $1 and p.role in ('OWNER', 'ADMIN') and p.is_active and u.deleted_at is null order by u.email`,
);

export const namesOfDevices = rows<{ readonly id: string; readonly name: string }, [ids: readonly string[]]>(
  'alert-device-names',
  'select id, name from devices where id = any ($1::uuid[])',
);

/** Newest first. */
export const pageOfAlerts = pageOfRows<AlertRow, [merchantId: string, environment: Environment]>('alerts', {
  columns: COLUMNS,
  from: 'from merchant_alerts a where a.merchant_id = $1 and a.environment = $2',
  order: 'a.id desc',
});

export function closedAlerts(now: Date): OldRows {
  const before = daysBefore(now, KEPT_DAYS);
  return oldRowsById('merchant_alerts', before, { values: [before], deletable: 'old.closed_at < $4' });
}
