import { formatAmount, MOST_IN_EVIDENCE_FILE, type InternalEvidenceFile, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { filedClaims, filedIntent, filedSms, type FiledSms } from './evidence-file-repository';
import { decisionsOfIntent, type KeptDecision } from '../decision-chain/kept-decision-repository';
import type { DecisionChain } from '../decision-chain/decision-chain';
import type { DecisionRecord } from '../domain/decision-record';
import { hiddenMsisdn } from '../domain/hidden-msisdn';

export interface MakeEvidenceFileDeps {
  readonly db: Queryable;
  readonly decisionChain: DecisionChain;
}

/** The decisions of a payment in order. A payment of another merchant is not found. */
export async function makeEvidenceFile(
  { db, decisionChain }: MakeEvidenceFileDeps,
  merchantId: string,
  intentId: string,
): Promise<InternalEvidenceFile> {
  const intent = await filedIntent(db, merchantId, intentId);
  if (intent === undefined) throw new BusinessError('NOT_FOUND');
  const { environment } = intent;
  const tenant = { merchantId, environment };
  const [kept, claims] = await Promise.all([
    decisionsOfIntent(db, tenant, intentId, MOST_IN_EVIDENCE_FILE),
    filedClaims(db, tenant, intentId, MOST_IN_EVIDENCE_FILE),
  ]);
  const smsEventIds = [...kept, ...claims].flatMap(({ smsEventId }) => smsEventId ?? []);
  const sms = await filedSms(db, tenant, [...new Set(smsEventIds)], intentId);
  return {
    environment,
    intent: {
      id: intent.id,
      status: intent.status,
      amount: formatAmount(BigInt(intent.amount)),
      referenceKey: intent.referenceKey,
      expectedTrxId: intent.expectedTrxId,
      createdAt: intent.createdAt.toISOString(),
      expiresAt: intent.expiresAt.toISOString(),
    },
    sms: sms.map(smsFacts),
    claims: claims.map((claim) => ({ ...claim, submittedAt: claim.submittedAt.toISOString() })),
    decisions: kept.map((decision) => decisionFacts(decisionChain, decision)),
  };
}

function smsFacts(sms: FiledSms): InternalEvidenceFile['sms'][number] {
  return {
    ...sms,
    amount: formatAmount(BigInt(sms.amount)),
    payerMsisdn: sms.payerMsisdn === null ? null : hiddenMsisdn(sms.payerMsisdn),
    providerTime: sms.providerTime.toISOString(),
    ingestedAt: sms.ingestedAt.toISOString(),
    signals: [...sms.signals],
  };
}

/** Read from the signed record: the working record contains only the last decision. */
function decisionFacts(chain: DecisionChain, kept: KeptDecision): InternalEvidenceFile['decisions'][number] {
  const { record, keyId, mac, position, link } = kept;
  const signed = JSON.parse(record) as DecisionRecord;
  const { id, decidedAt, matchId, smsEventId, paymentIntentId, status, path, reason, checks, paidInTime } = signed;
  const { expectedAmount, receivedAmount, decidedBy, note } = signed;
  return {
    id,
    decidedAt,
    matchId,
    smsEventId,
    paymentIntentId,
    status,
    path,
    reason,
    checks,
    paidInTime,
    expectedAmount,
    receivedAmount,
    decidedBy,
    note,
    candidates: signed.candidates.map((each) => ({
      ...each,
      failedRules: [...each.failedRules],
      doubts: [...(each.doubts ?? [])],
    })),
    doubts: [...signed.doubts],
    intentStatus: signed.intent?.status ?? null,
    position: position?.toString() ?? null,
    signature: mac,
    link,
    isAuthentic: chain.isSigned(record, { keyId, mac }),
  };
}
