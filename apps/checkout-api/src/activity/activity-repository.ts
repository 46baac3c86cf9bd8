import type { CheckoutAction, CheckoutActivity, PaymentMethod, Tenant } from '@pay/contracts';
import { arraysOf, command, enqueuedRows, firstIdAt, mapped, oldRowsInOrder, type OldRows } from '@pay/persistence';

export interface Activity {
  readonly intentId: string;
  readonly action: CheckoutAction;
  /** The chosen method, or the status that was sent to the shop. Empty for a view and a cancellation. */
  readonly detail: string;
  readonly at: Date;
}

/** Ignores actions that are already stored. */
export const storeActivity = command(
  'store-checkout-activity',
  // In key order, so that two replicas wait for each other instead of deadlocking. Existing rows are found without a
  // lock.
  `insert into checkout_activity (intent_id, action, detail, first_at, last_at)
   select distinct on (intent_id, action, detail) intent_id, action, detail, at, at
   from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as given (intent_id, action, detail, at)
   order by intent_id, action, detail, at
   on conflict (intent_id, action, detail) do nothing`,
  columnsOf,
);

/** Sent with COMMIT. Stores the first and the last choice of each method. */
export const storeChoices = enqueuedRows(
  'store-checkout-choices',
  `insert into checkout_activity as known (intent_id, action, detail, first_at, last_at)
   select intent_id, action, detail, min(at), max(at)
   from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as given (intent_id, action, detail, at)
   group by intent_id, action, detail
   order by intent_id, action, detail
   on conflict (intent_id, action, detail) do update
     set first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)
   where excluded.first_at < known.first_at or excluded.last_at > known.last_at`,
  columnsOf,
);

function columnsOf(given: readonly Activity[]): readonly unknown[] {
  return arraysOf(given, 'intentId', 'action', 'detail', 'at');
}

interface ActivityRow {
  readonly action: CheckoutAction;
  readonly detail: string;
  readonly first_at: Date;
  readonly last_at: Date;
}

/** Oldest first. */
export const listActivity = mapped(toActivity).rows(
  'list-checkout-activity',
  `select action, detail, first_at, last_at from checkout_activity
   where intent_id = $1
     and exists (select from intent_copies where id = $1 and merchant_id = $2 and environment = $3)
   order by first_at, action, detail`,
  ({ merchantId, environment }: Tenant, intentId: string) => [intentId, merchantId, environment],
);

function toActivity({ action, detail, first_at: firstAt, last_at: lastAt }: ActivityRow): CheckoutActivity {
  return {
    action,
    paymentMethod: action === 'method_chosen' ? (detail as PaymentMethod) : null,
    outcome: action === 'returned' ? detail : null,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}

/** Deletes activity of intents without a copy, so delete the copies first. */
export function oldActivity(before: Date): OldRows {
  return oldRowsInOrder({
    table: 'checkout_activity',
    order: 'intent_id',
    orderType: 'uuid',
    isUnique: false,
    before: firstIdAt(before),
    deletable: 'not exists (select from intent_copies where id = old.intent_id)',
  });
}
