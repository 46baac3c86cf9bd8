import type { Migration } from '@pay/persistence';

/**
 * What happened at the checkout of an intent. The key bounds the rows of one intent, whoever opens its address how
 * often; `detail` is the chosen method or the status that the shop was told, else empty.
 */
export const keepCheckoutActivity: Migration = {
  name: '20261124033000-keep-checkout-activity',
  sql: `
create table checkout_activity (
  intent_id uuid not null,
  action text not null constraint checkout_activity_action_check
    check (action in ('viewed', 'method_chosen', 'cancelled', 'returned')),
  detail text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint checkout_activity_pkey primary key (intent_id, action, detail),
  constraint checkout_activity_in_order check (first_at <= last_at)
);
alter table checkout_activity
  alter intent_id set statistics 10, alter action set statistics 10, alter detail set statistics 10,
  alter first_at set statistics 10, alter last_at set statistics 10;
`,
};
