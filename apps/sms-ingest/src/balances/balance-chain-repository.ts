import type { Tenant } from '@pay/contracts';
import { statement, type Transaction } from '@pay/persistence';

export interface BalanceChain extends Tenant {
  readonly id: string;
  readonly msisdn: string;
}

// Every text of a chain contains its tenant.
const MAKE = statement(
  'make-balance-chain',
  `insert into balance_chains (id, merchant_id, environment, msisdn)
   select $1, event.merchant_id, event.environment, event.receiver_msisdn
   from (select sms_event_id from balance_texts where chain_id = $1 and verdict is null limit 1) as text
   join sms_events as event on event.id = text.sms_event_id
   where event.receiver_msisdn is not null and not exists (select 1 from balance_chains where id = $1)
   on conflict (id) do nothing`,
);
const hold = (name: string, whileLocked = '') =>
  statement(
    name,
    `select id, merchant_id as "merchantId", environment, msisdn from balance_chains where id = $1 for update ${whileLocked}`,
  );
const HOLD = { wait: hold('hold-balance-chain'), skip: hold('hold-free-balance-chain', 'skip locked') };

const MAKE_OF_TEXTS = statement(
  'make-chains-of-texts',
  `insert into balance_chains (id, merchant_id, environment, msisdn)
   select distinct on (chain_id) chain_id, merchant_id, environment, receiver_msisdn
   from balance_texts join sms_events on sms_events.id = sms_event_id
   where sms_event_id = any($1::uuid[]) and receiver_msisdn is not null
   order by chain_id on conflict (id) do nothing`,
);
const HOLD_OF_TEXTS = statement(
  'hold-chains-of-texts',
  `select id from balance_chains where id in (select chain_id from balance_texts where sms_event_id = any($1::uuid[]))
   order by id for update`,
);

/**
 * Locks the chains of stored texts until the end of the transaction; waits for a process that examines a chain for the
 * first time. The events of the texts must still contain the wallets of these chains.
 */
export function holdChainsOfTexts(tx: Transaction, ids: readonly string[]): void {
  tx.enqueue(MAKE_OF_TEXTS, [ids]);
  tx.enqueue(HOLD_OF_TEXTS, [ids]);
}

/** Longer than a page takes, and short enough not to hold up the other chains. */
const LONGEST_WAIT = '1s';

/**
 * The chain, locked until the end of the transaction; undefined if another process has locked it and it is skipped.
 * Throws a lock timeout if another process keeps it locked, or has not committed its new row.
 */
export async function holdChain(
  tx: Transaction,
  id: string,
  whileLocked: 'wait' | 'skip',
): Promise<BalanceChain | undefined> {
  tx.enqueue(`set local lock_timeout = '${LONGEST_WAIT}'`);
  tx.enqueue(MAKE, [id]);
  const [chain] = await tx.query<BalanceChain>(HOLD[whileLocked], [id]);
  // A deadlock must end as a conflict, which is retried, and not as a lock timeout.
  tx.enqueue('set local lock_timeout to default');
  return chain;
}
