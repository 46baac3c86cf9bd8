import { formatAmount, type ExceptionDetails, type Poisha, type Suggestion, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findExceptionRow, type ExceptionRow } from './exception-repository';
import { findLedToReview } from './lead-repository';
import { findReviewActions } from './review-action-repository';
import { findByAmount, findByReferences, findIntents, findParts, findPayingSms } from './suggestion-repository';
import { misspellingsOf } from '../domain/misspellings';
import type { Candidate } from '../domain/working-set';
import { failedRules } from '../domain/rules';
import { suggest, type KnownIntent } from '../domain/suggest';
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
  const candidates = withIntentsInReview(row.candidates, await findLedToReview(db, row.smsEventId));
  const [intents, suggestions, actions] = await Promise.all([
    findIntents(
      db,
      tenant,
      candidates.map(({ paymentIntentId }) => paymentIntentId),
    ),
    item.status === 'OPEN' && row.dispute === null ? suggestFor(db, row) : [],
    findReviewActions(db, id),
  ]);
  const byId = new Map(intents.map((intent) => [intent.id, intent]));
  return {
    ...item,
    candidates: candidates.map((candidate) => ({
      ...candidate,
      failedRules: [...candidate.failedRules],
      intent: describeIntent(byId.get(candidate.paymentIntentId)),
    })),
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

/** Intents that this SMS led to review stay listed until they are decided, whatever the SMS leads to now. */
function withIntentsInReview(
  candidates: readonly Candidate[],
  decisions: Awaited<ReturnType<typeof findLedToReview>>,
): Candidate[] {
  const listed = new Set(candidates.map(({ paymentIntentId }) => paymentIntentId));
  const unlisted = decisions.flatMap(({ paymentIntentId, path, reason, checks }) => {
    if (paymentIntentId === null || path === null || checks === null || listed.has(paymentIntentId)) return [];
    return [{ paymentIntentId, path, reason: reason as Candidate['reason'], failedRules: failedRules(checks) }];
  });
  return [...candidates, ...unlisted];
}

function describeIntent(intent: KnownIntent | undefined): ExceptionDetails['candidates'][number]['intent'] {
  if (intent === undefined) return null;
  const { status, amount, createdAt, expiresAt } = intent;
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { status, amount: formatAmount(amount), ...times };
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
