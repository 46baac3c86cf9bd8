import { statement, type Transaction } from '@pay/persistence';

const LOCK = statement('lock-simulated-wallet', `select pg_advisory_xact_lock(hashtextextended($1, 20261123))`);
const LAST = statement(
  'last-balance-of-wallet',
  `select balance from balance_texts
   where chain_id = $1 and balance is not null and not is_doubted and verdict is distinct from 'BREAK'
   order by at desc, sms_event_id desc limit 1`,
);

/** The newest balance of a wallet; no other process composes a text for the wallet until the transaction ends. */
export async function lockLastBalance(tx: Transaction, chainId: string): Promise<bigint | undefined> {
  await tx.query(LOCK, [chainId]);
  const [row] = await tx.query<{ balance: string }>(LAST, [chainId]);
  return row && BigInt(row.balance);
}
