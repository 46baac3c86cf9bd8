import { formatAmount, type SmsMatch, type Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { describeCandidates } from './describe-candidates';
import { findMatchOfSmsRow } from './match-of-sms-repository';

/** The match of an SMS of the tenant; null while the SMS is not decided. */
export async function findMatchOfSms(db: Queryable, tenant: Tenant, smsEventId: string): Promise<SmsMatch | null> {
  const row = await findMatchOfSmsRow(db, tenant, smsEventId);
  if (row === undefined) return null;
  const amount = (poisha: string | null) => (poisha === null ? null : formatAmount(BigInt(poisha)));
  return {
    ...row,
    expectedAmount: amount(row.expectedAmount),
    receivedAmount: amount(row.receivedAmount),
    candidates: await describeCandidates(db, tenant, row),
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}
