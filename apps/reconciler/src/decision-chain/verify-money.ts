import { formatAmount, type Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import {
  decisionsThatMoved,
  intentsAfter,
  moneyAfter,
  type DecidedIntent,
  type MoneyState,
  type SignedDecision,
} from './kept-money-repository';
import type { DecisionChain } from './decision-chain';
import type { DecisionRecord } from '../domain/decision-record';

export interface VerifyMoneyDeps {
  readonly db: Queryable;
  readonly decisionChain: DecisionChain;
  /** Number of rows per page. */
  readonly page?: number;
}

export interface MoneyProblem {
  readonly problem: string;
  readonly decisionId: string | null;
  readonly matchId: string | null;
  readonly paymentIntentId: string | null;
}

export interface VerifiedMoney {
  /** Number of checked payments, from the money and from the intent. */
  readonly payments: number;
  readonly problem: MoneyProblem | null;
}

/** The last rows that were checked. */
export type PlaceInMoney =
  | { readonly part: 'money'; readonly trxId: string; readonly provider: string }
  | { readonly part: 'intents'; readonly referenceKey: string };

const PAGE = 500;

/**
 * The reverse check, from all money and intents to the decisions that caused their state: it finds payments without a
 * decision and decisions removed with the end of the chain. Rows are read before their decisions, in pages; rows older
 * than `since` may have none.
 */
export async function* moneyVerification(
  deps: VerifyMoneyDeps,
  tenant: Tenant,
  since?: Date,
  from?: PlaceInMoney,
): AsyncGenerator<PlaceInMoney, VerifiedMoney, void> {
  let payments = 0;
  let money = from?.part === 'money' ? from : undefined;
  while (from?.part !== 'intents') {
    const page = await moneyAfter(deps.db, tenant, money, deps.page ?? PAGE);
    const decided = page.flatMap(({ matchId, smsSequence }) =>
      matchId ? [{ id: matchId, sequence: smsSequence }] : [],
    );
    const decisions = await decisionsThatMoved(deps.db, tenant, 'sms', decided);
    for (const each of page) {
      const decision = each.matchId === null ? undefined : decisions.get(each.matchId);
      const problem = problemOfMoney(deps, each, decision, since);
      if (problem !== undefined) return { payments, problem: brokenMoney(each, decision, problem) };
      if (each.paysIntentId !== null) payments += 1;
    }
    const last = page.at(-1);
    if (last === undefined) break;
    money = { part: 'money', trxId: last.trxId, provider: last.provider };
    yield money;
  }
  for (let intents = from?.part === 'intents' ? from : undefined; ;) {
    const page = await intentsAfter(deps.db, tenant, intents, deps.page ?? PAGE);
    const decided = page.filter(({ decisionSequence }) => decisionSequence > 0);
    const counted = decided.map(({ id, decisionSequence: sequence }) => ({ id, sequence }));
    const decisions = await decisionsThatMoved(deps.db, tenant, 'intent', counted);
    for (const intent of page) {
      const decision = decisions.get(intent.id);
      const problem = problemOfIntent(deps, intent, decision, since);
      if (problem !== undefined) return { payments, problem: brokenIntent(intent, decision, problem) };
    }
    const last = page.at(-1);
    if (last === undefined) break;
    intents = { part: 'intents', referenceKey: last.referenceKey };
    yield intents;
  }
  return { payments, problem: null };
}

function problemOfMoney(
  deps: VerifyMoneyDeps,
  money: MoneyState,
  decision: SignedDecision | undefined,
  since: Date | undefined,
): string | undefined {
  if (money.matchId === null) return 'no decision exists for this evidence';
  if ((money.state === 'USED') !== (money.paysIntentId !== null))
    return 'the evidence is USED without an intent, or pays an intent and is not USED';
  if (money.paysIntentId !== null && money.intentStatus !== 'PAID') return 'it pays an intent that is not PAID';
  if (decision === undefined) return isTooOld(money, since) ? undefined : 'no decision matches the state of the match';
  const signed = signedRecord(deps, decision);
  if (signed === undefined) return 'the record of its decision does not match its signature';
  if (money.paysIntentId === null) return undefined;
  if (signed.paymentIntentId !== money.paysIntentId) return 'the signed decision names another intent';
  const isSameMoney =
    signed.receivedAmount === formatAmount(money.amount) &&
    signed.expectedAmount === formatAmount(money.intentAmount ?? 0n);
  return isSameMoney ? undefined : 'the amounts differ from the signed decision';
}

function problemOfIntent(
  deps: VerifyMoneyDeps,
  intent: DecidedIntent,
  decision: SignedDecision | undefined,
  since: Date | undefined,
): string | undefined {
  if ((intent.status === 'PAID') !== (intent.paidBy !== null))
    return 'the intent is PAID without a match, or has a paying match and is not PAID';
  if (intent.decisionSequence === 0) return intent.status === 'PENDING' ? undefined : 'the status has no decision';
  if (decision === undefined)
    return isTooOld(intent, since) ? undefined : 'no decision matches the state of the intent';
  const signed = signedRecord(deps, decision);
  if (signed === undefined) return 'the record of its decision does not match its signature';
  return signed.intent?.id === intent.id && signed.intent.status === intent.status
    ? undefined
    : 'the intent status differs from the signed decision';
}

function signedRecord(
  { decisionChain }: VerifyMoneyDeps,
  { record, keyId, mac }: SignedDecision,
): DecisionRecord | undefined {
  return decisionChain.isSigned(record, { keyId, mac }) ? (JSON.parse(record) as DecisionRecord) : undefined;
}

function isTooOld({ createdAt }: { readonly createdAt: Date }, since: Date | undefined): boolean {
  return since !== undefined && createdAt < since;
}

function brokenMoney(money: MoneyState, decision: SignedDecision | undefined, problem: string): MoneyProblem {
  return { problem, decisionId: decision?.id ?? null, matchId: money.matchId, paymentIntentId: money.paysIntentId };
}

function brokenIntent(intent: DecidedIntent, decision: SignedDecision | undefined, problem: string): MoneyProblem {
  return { problem, decisionId: decision?.id ?? null, matchId: intent.paidBy, paymentIntentId: intent.id };
}
