import type { Transaction } from '@pay/persistence';
import { insertMerchantNoticeOfDay } from '../sign-in/notice-repository';
import { receiverAccounts } from '../db/tables';
import type { ReceiverAccountRecord } from '../domain/records';
import type { ChangeDeps } from '../changes/store-change';

/**
 * Informs the merchants of a shared LIVE number at most once a day, because it may be an attempt to take over the
 * number. The account must be stored before: that locks the number, so concurrent changes find each other.
 */
export async function tellOfSharedNumber(
  deps: Pick<ChangeDeps, 'now' | 'newId'>,
  tx: Transaction,
  { merchantId, environment, msisdn, isActive }: ReceiverAccountRecord,
): Promise<void> {
  if (environment !== 'LIVE' || !isActive) return;
  const others = await receiverAccounts.listBy(tx, 'activeElsewhere', [msisdn, merchantId]);
  if (others.length === 0) return;
  const createdAt = deps.now();
  for (const each of new Set([...others.map((other) => other.merchantId), merchantId])) {
    const notice = { id: deps.newId(), kind: 'number_shared' as const, details: { msisdn }, createdAt };
    await insertMerchantNoticeOfDay(tx, each, notice);
  }
}
