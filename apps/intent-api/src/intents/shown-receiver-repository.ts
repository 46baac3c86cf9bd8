import { statement, type Transaction } from '@pay/persistence';
import type { StoredIntent } from '../domain/stored-intent';

const SHOW = statement(
  'show-receiver',
  `update payment_intents
   set sequence = $2, payment_method = $3, receiver_account_id = $4, receiver_msisdn = $5, shown_receivers = $6::jsonb
   where id = $1 and sequence = $2 - 1 and status = 'PENDING' and not method_fixed`,
);

/** The intent must be locked. Throws if the method may not be chosen. */
export async function showReceiver(tx: Transaction, { sequence, intent }: StoredIntent): Promise<void> {
  const shown = await tx.execute(SHOW, [
    intent.id,
    sequence,
    intent.paymentMethod,
    intent.receiverAccountId,
    intent.receiverMsisdn,
    JSON.stringify(intent.shownReceivers),
  ]);
  if (shown !== 1) throw new Error('invariant: a locked intent accepts a receiver');
}
