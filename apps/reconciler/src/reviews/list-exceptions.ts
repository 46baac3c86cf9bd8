import { formatAmount, type ExceptionListQuery, type ExceptionPage, type ExceptionResponse } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { pageOfExceptions } from './exception-page-repository';
import type { ExceptionRow } from './exception-repository';
import { exceptionStatusOf } from '../domain/exception-status';
import { hiddenMsisdn } from '../domain/hidden-msisdn';
import { explainDoubts } from '../domain/explain-doubts';

/** A page of what needs a person, and where the next one begins. */
export async function listExceptions(
  { db }: { readonly db: Queryable },
  { page, limit, ...filter }: ExceptionListQuery & { readonly merchantId: string },
): Promise<ExceptionPage> {
  const found = await pageOfExceptions(db, filter, { limit, offset: (page - 1) * limit });
  const { rows, total, totalIsExact, nextCursor } = found;
  return { data: rows.map(describeException), total, totalIsExact, nextCursor, page, limit };
}

export function describeException(row: ExceptionRow): ExceptionResponse {
  const { status, kind } = exceptionStatusOf(row.exception);
  const isDecided = row.status === 'MANUALLY_RESOLVED' || row.status === 'REJECTED';
  return {
    id: row.id,
    environment: row.environment,
    status,
    kind,
    matchStatus: row.status,
    reason: row.reason,
    path: row.path,
    checks: row.checks,
    doubts: [...row.doubts],
    explanations: explainDoubts(row),
    paidInTime: row.paid_in_time,
    expectedAmount: asAmount(row.expected_amount),
    receivedAmount: asAmount(row.received_amount),
    smsEventId: row.sms_event_id,
    money: moneyOf(row),
    dispute: disputeOf(row),
    paymentIntentId: row.payment_intent_id,
    intentStatus: row.intent_status,
    assigneeId: row.assignee_id,
    resolvedBy: isDecided ? row.decided_by.replace(/^user:/, '') : null,
    resolutionNote: isDecided ? row.resolution_note : null,
    createdAt: row.created_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}

function moneyOf(row: ExceptionRow): ExceptionResponse['money'] {
  if (row.provider === null) return null;
  return {
    provider: row.provider,
    paymentMethod: row.method,
    trxId: row.trx_id,
    reference: row.reference_key,
    receiverAccountId: row.receiver_account_id,
    receiverMsisdn: row.receiver_msisdn,
    // A dispute is shown to a customer to settle it; the number of the other one is none of his business.
    payerMsisdn: row.dispute === null ? row.payer_msisdn : maskedPayer(row),
    providerTime: row.provider_time.toISOString(),
    ingestedAt: row.ingested_at.toISOString(),
    authenticity: row.authenticity,
    signals: [...row.signals],
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

function maskedPayer({ payer_msisdn: msisdn }: Pick<ExceptionRow, 'payer_msisdn'>): string | null {
  return msisdn === null ? null : hiddenMsisdn(msisdn);
}

function asAmount(poisha: string | null): string | null {
  return poisha === null ? null : formatAmount(BigInt(poisha));
}
