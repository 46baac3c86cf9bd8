import type { Tenant } from '@pay/contracts';
import { enqueued, enqueuedRows, mapped, statement, type Queryable, type Transaction } from '@pay/persistence';
import type { Intent } from '../domain/facts';
import { TENANT_COLUMNS } from '../db/tenant-row';

/**
 * Time in which intents with older facts may still arrive: intent-api and other processes cache facts for up to a
 * second, and transactions may be open.
 */
export const SECOND_LOOK_MS = 10_000;

/** Pending intents to check because a way to pay them was switched off. */
export interface SwitchOff {
  readonly id: string;
  readonly tenant: Tenant;
  /** Undefined: all pending ones of the tenant. */
  readonly intentId: string | undefined;
  /** Intents up to this id are checked. */
  readonly doneTo: string;
  /** When the lease of this process ends, as the database wrote it. */
  readonly lease: string;
}

/** Always inserted, never merged: the writer holds locks and must not wait for a worker. */
export const insertSwitchOffs = enqueuedRows(
  'note-switch-offs',
  `insert into switch_offs (merchant_id, environment, payment_intent_id, due_at)
   select merchant_id, environment, payment_intent_id, now() + $4::bigint * interval '1 millisecond'
   from unnest($1::uuid[], $2::text[], $3::uuid[]) as given (merchant_id, environment, payment_intent_id)`,
  (given: readonly { readonly tenant: Tenant; readonly intentId?: string }[], waitMs: number) => [
    given.map(({ tenant }) => tenant.merchantId),
    given.map(({ tenant }) => tenant.environment),
    given.map(({ intentId }) => intentId ?? null),
    waitMs,
  ],
);

interface Claimed extends Tenant, Omit<SwitchOff, 'tenant' | 'intentId'> {
  readonly intentId: string | null;
}

/** Leases a due item. It becomes due again after the lease, if the process dies, fails or cannot decide. */
export const claimSwitchOff = mapped(toSwitchOff).firstRow<[leaseMs: number]>(
  'claim-switch-off',
  `update switch_offs set due_at = now() + $1::bigint * interval '1 millisecond'
   where id = (select id from switch_offs where due_at <= now() order by due_at, id limit 1 for update skip locked)
   returning id, ${TENANT_COLUMNS}, payment_intent_id as "intentId", done_to as "doneTo", due_at::text as lease`,
);

function toSwitchOff({ id, intentId, doneTo, lease, ...tenant }: Claimed): SwitchOff {
  return { id, tenant, intentId: intentId ?? undefined, doneTo, lease };
}

const HOLD = statement(
  'hold-switch-off',
  'select id from switch_offs where id = $1 and due_at = $2::timestamptz for update',
);

/** Locks the item for this transaction. False if the lease has ended and another process has taken it. */
export async function holdSwitchOff(tx: Transaction, { id, lease }: SwitchOff): Promise<boolean> {
  return (await tx.query(HOLD, [id, lease])).length > 0;
}

export type PendingIntent = Pick<Intent, 'id' | 'referenceKey' | 'shownReceivers'>;

const PENDING_COLUMNS = 'id, reference_key as "referenceKey", shown_receivers as "shownReceivers"';
const PENDING = statement(
  'find-pending-of-tenant',
  `select ${PENDING_COLUMNS} from intents
   where merchant_id = $1 and environment = $2 and status = 'PENDING' and id > $3 order by id limit $4`,
);
const PENDING_ONE = statement(
  'find-pending-intent',
  `select ${PENDING_COLUMNS} from intents
   where merchant_id = $1 and environment = $2 and status = 'PENDING' and id = $3`,
);

/** The next page of its intents, not locked. */
export function findPending(
  db: Queryable,
  { tenant, intentId, doneTo }: Omit<SwitchOff, 'id' | 'lease'>,
  limit: number,
): Promise<PendingIntent[]> {
  const { merchantId, environment } = tenant;
  return intentId === undefined
    ? db.query<PendingIntent>(PENDING, [merchantId, environment, doneTo, limit])
    : db.query<PendingIntent>(PENDING_ONE, [merchantId, environment, intentId]);
}

export const advanceSwitchOff = enqueued<[id: string, doneTo: string]>(
  'advance-switch-off',
  'update switch_offs set done_to = $2, due_at = now() where id = $1',
);

export const finishSwitchOff = enqueued<[id: string]>('finish-switch-off', 'delete from switch_offs where id = $1');
