import { type ExceptionDetails, type Poisha, type Suggestion, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findExceptionRow, type ExceptionRow } from './exception-repository';
import { describeCandidates } from './describe-candidates';
import { findReviewActions } from './review-action-repository';
import { findByAmount, findByReferences, findParts, findPayingSms } from './suggestion-repository';
import { misspellingsOf } from '../domain/misspellings';
import { suggest } from '../domain/suggest';
import { describeException } from './list-exceptions';
import { toTenant } from '../db/tenant-row';

/** One exception with the data for its decision. An exception of another merchant is not found. */
export async function findException(
  { db }: { readonly db: Queryable },
  merchantId: string,
  id: string,
): Promise<ExceptionDetails> {
  const row = await findExceptionRow(db, merchantId, id);
  if (row === undefined) throw new BusinessError('NOT_FOUND');
  const tenant = { merchantId, environment: row.environment };
  const item = describeException(row);
  const [candidates, suggestions, actions] = await Promise.all([
    describeCandidates(db, tenant, row),
    item.status === 'OPEN' && row.dispute === null ? suggestFor(db, row) : [],
    findReviewActions(db, id),
  ]);
  return {
    ...item,
    candidates,
    suggestions,
    actions: actions.map(({ id, action, actorId: by, note, doneAt }) => ({
      id,
      action,
      by,
      note,
      at: doneAt.toISOString(),
    })),
  };
}

async function suggestFor(db: Queryable, row: ExceptionRow): Promise<Suggestion[]> {
  const { receivedAmount: amount, reference, receiverAccountId, paymentIntentId } = row;
  if (row.provider === null || amount === null) return [];
  const tenant = toTenant(row);
  const [named, sameAmount, parts, paidBy] = await Promise.all([
    reference === null ? [] : findByReferences(db, tenant, [reference]),
    receiverAccountId === null
      ? []
      : findByAmount(db, tenant, { amount, providerTime: row.providerTime, receiverAccountId }),
    reference === null ? [] : findParts(db, tenant, reference),
    paymentIntentId === null ? undefined : findPayingSms(db, paymentIntentId),
  ]);
  // A reference that names an intent was not mistyped.
  const isMistyped = reference !== null && named.length === 0;
  const alike = isMistyped ? await findByReferences(db, tenant, misspellingsOf(reference)) : [];
  const payerMsisdn = row.payerMsisdn ?? undefined;
  return suggest({
    money: {
      smsEventId: row.smsEventId,
      amount: BigInt(amount) as Poisha,
      payerMsisdn,
      referenceKey: reference ?? undefined,
    },
    leadsTo: paymentIntentId ?? undefined,
    named: named.at(0),
    alike,
    sameAmount,
    parts,
    paidBy,
  });
}
