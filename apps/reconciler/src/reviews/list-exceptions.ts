import { formatAmount, type ExceptionListQuery, type ExceptionPage, type ExceptionResponse } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { pageOfExceptions } from './exception-page-repository';
import type { ExceptionRow } from './exception-repository';
import { exceptionStatusOf } from '../domain/exception-status';
import { hiddenMsisdn } from '../domain/hidden-msisdn';
import { explainDoubts } from '../domain/explain-doubts';

/** A page of exceptions and the cursor of the next one. */
export async function listExceptions(
  { db }: { readonly db: Queryable },
  { page, limit, ...filter }: ExceptionListQuery & { readonly merchantId: string },
): Promise<ExceptionPage> {
  const found = await pageOfExceptions(db, filter, { limit, offset: (page - 1) * limit });
  const { rows, total, totalIsExact, nextCursor } = found;
  return { data: rows.map(describeException), total, totalIsExact, nextCursor, page, limit };
}

export function describeException(row: ExceptionRow): ExceptionResponse {
  const { id, environment, matchStatus, reason, path, checks, paidInTime, smsEventId, paymentIntentId } = row;
  const isDecided = matchStatus === 'MANUALLY_RESOLVED' || matchStatus === 'REJECTED';
  return {
    id,
    environment,
    ...exceptionStatusOf(row.exception),
    matchStatus,
    reason,
    path,
    checks,
    paidInTime,
    doubts: [...row.doubts],
    explanations: explainDoubts(row),
    expectedAmount: asAmount(row.expectedAmount),
    receivedAmount: asAmount(row.receivedAmount),
    money: moneyOf(row),
    dispute: disputeOf(row),
    smsEventId,
    paymentIntentId,
    intentStatus: row.intentStatus,
    assigneeId: row.assigneeId,
    resolvedBy: isDecided ? row.decidedBy.replace(/^user:/, '') : null,
    resolutionNote: isDecided ? row.resolutionNote : null,
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}

function moneyOf(row: ExceptionRow): ExceptionResponse['money'] {
  const { provider, paymentMethod, trxId, reference, receiverAccountId, receiverMsisdn, authenticity, signals } = row;
  if (provider === null) return null;
  return {
    provider,
    paymentMethod,
    trxId,
    reference,
    receiverAccountId,
    receiverMsisdn,
    authenticity,
    signals,
    // A dispute may be shown to a customer, who must not see the number of the other one.
    payerMsisdn: row.dispute === null ? row.payerMsisdn : maskedPayer(row),
    providerTime: row.providerTime.toISOString(),
    ingestedAt: row.ingestedAt.toISOString(),
  };
}

function disputeOf({ dispute, ...row }: ExceptionRow): ExceptionResponse['dispute'] {
  if (dispute === null) return null;
  const asTime = (text: string) => new Date(text).toISOString();
  return {
    claimSubmittedAt: asTime(dispute.submittedAt),
    paidIntentId: dispute.paidIntentId,
    paidClaimSubmittedAt: dispute.paidSubmittedAt === null ? null : asTime(dispute.paidSubmittedAt),
    payerMsisdn: maskedPayer(row),
  };
}

function maskedPayer({ payerMsisdn }: Pick<ExceptionRow, 'payerMsisdn'>): string | null {
  return payerMsisdn === null ? null : hiddenMsisdn(payerMsisdn);
}

function asAmount(poisha: string | null): string | null {
  return poisha === null ? null : formatAmount(BigInt(poisha));
}
