import { randomUUID } from 'node:crypto';
import {
  DOUBTS_TO_ACKNOWLEDGE,
  formatAmount,
  type Environment,
  type Poisha,
  type ReviewAction,
  BusinessError,
} from '@pay/contracts';
import { retryOnConflict, type Database } from '@pay/persistence';
import { closeMatchWindows } from '../../src/expiry/close-match-windows';
import type { Arrival } from '../../src/domain/arrivals';
import { findIntent } from '../../src/matching/intent-repository';
import { expireIntents } from '../../src/expiry/expire-intents';
import { failUnpayable } from '../../src/expiry/fail-unpayable';
import { decideBatch } from '../../src/matching/decide-batch';
import { decideClaims } from '../../src/intake/decide-claims';
import { noteSwitchOffs } from '../../src/expiry/note-switch-offs';
import { reviewException } from '../../src/reviews/review-exception';
import { aSignal } from '../builders';
import { aReviewer } from '../review-under-test';
import type { SessionUnderTest } from '../session-under-test';
import { methodOf, NEW_SHOP, WALLETS, type Happening, type IntentFact, type TextFact } from './facts';
import { directoryOf, ownerOf, factsOf } from './shop-directory';

const never = new AbortController().signal;
const notFound = () => Promise.reject(new BusinessError('NOT_FOUND'));

/** A merchant on the real service, with several replicas on one database. */
export interface MerchantUnderTest {
  readonly merchantId: string;
  /** Plays it on one of the replicas and returns the response to the user or customer. */
  play(what: Happening, replica: number): Promise<string>;
  /** The observable state: statuses, reasons, responses. */
  seen(): Promise<Record<string, unknown>>;
}

export function openMerchant(
  session: SessionUnderTest,
  replicas: readonly Database[],
  clock: () => number,
): MerchantUnderTest {
  const merchantId = randomUUID();
  let shop = NEW_SHOP;
  const directory = directoryOf(merchantId, () => shop);
  const deps = { ...session.deps, directory, now: () => new Date(clock()) };
  const on = (replica: number) => ({ ...deps, db: replicas[replica % replicas.length] ?? session.db });
  const tenantOf = ({ environment }: { readonly environment: Environment }) => ({ merchantId, environment });

  async function deliver(replica: number, arrival: Arrival): Promise<string> {
    const own = on(replica);
    await retryOnConflict(own.db, (tx) => decideBatch(own, tx, [arrival]));
    return '';
  }

  async function play(what: Happening, replica: number): Promise<string> {
    const own = on(replica);
    switch (what.kind) {
      case 'intent': {
        const tenant = tenantOf(what.intent);
        return deliver(replica, { kind: 'intent', tenant, intent: { tenant, ...intentOf(what.intent) } });
      }
      case 'text': {
        const tenant = tenantOf(what.text);
        return deliver(replica, { kind: 'sms', tenant, evidence: { tenant, ...evidenceOf(what.text) } });
      }
      case 'unparsed':
        return deliver(replica, {
          kind: 'unparsed',
          tenant: tenantOf(what),
          smsEventId: what.id,
          reason: 'unknown',
          sequence: 1,
          ingestedAt: new Date(what.here),
        });
      case 'signals':
        return deliver(replica, {
          kind: 'signals',
          tenant: tenantOf(what),
          smsEventId: what.id,
          sequence: what.sequence,
          signals: what.signals.map(aSignal),
        });
      case 'claim': {
        const { id, intentId, trxId, at, digits } = what.claim;
        const claim = { id, intentId, trxId, submittedAt: new Date(at), payerDigits: digits };
        const submission = { claim: { kind: 'claim', tenant: tenantOf(what.claim), claim }, with: [] } as const;
        const [answer] = await retryOnConflict(own.db, (tx) => decideClaims(own, tx, [submission]));
        return answer?.outcome ?? 'unavailable';
      }
      case 'expire': {
        const undecided = Object.entries(what.undecided).map(([environment, since]) => ({
          merchantId,
          environment: environment as Environment,
          oldest: new Date(since).toISOString(),
        }));
        const expiring = {
          ...own,
          askUndecided: () => Promise.resolve(undecided),
          fetchIntent: notFound,
          expiryGraceMs: Date.now() - what.clock,
          expiryBatch: 100,
          expiriesPerSecond: 10_000,
        };
        await expireIntents(expiring, never);
        return '';
      }
      case 'windows': {
        const settings = { ...own.settings, matchWindowMs: own.settings.matchWindowMs + Date.now() - what.clock };
        await closeMatchWindows({ ...own, settings }, never);
        return '';
      }
      case 'look':
        // The second look is not waited for; what concerns all of a merchant's intents comes first.
        await own.db.execute(
          `update switch_offs set due_at = now() - case when payment_intent_id is null then interval '1 s' else '0 s' end
           where merchant_id = $1`,
          [merchantId],
        );
        await failUnpayable({ ...own, askTenantFacts: ownerOf(merchantId, () => shop), fetchIntent: notFound }, never);
        return '';
      case 'settings':
        shop = what.shop;
        await own.db.transaction((tx) => noteSwitchOffs(tx, factsOf(merchantId, shop)));
        return '';
      case 'person':
        return decide(what, replica);
    }
  }

  async function decide(what: Extract<Happening, { kind: 'person' }>, replica: number): Promise<string> {
    const own = on(replica);
    const id = String((await session.matchOf(what.textId))?.['id']);
    const fetchIntent = async (intentId: string) => {
      const intent = await findIntent(own.db, intentId);
      if (intent === undefined) throw new BusinessError('NOT_FOUND');
      return { ...intent.tenant, sequence: 1, intent: { id: intentId, status: intent.status } } as never;
    };
    const actor = aReviewer();
    const action = actionOf(what);
    const ask = async () => {
      try {
        const { refusal } = await reviewException({ ...own, fetchIntent }, merchantId, id, actor, action);
        return refusal?.code ?? 'done';
      } catch (error) {
        if (error instanceof BusinessError) return error.code;
        throw error;
      }
    };
    const answers = await Promise.all(what.isSentTwice ? [ask(), ask()] : [ask()]);
    return [...new Set(answers)].join(' and ');
  }

  return { merchantId, play, seen: () => seenBy(session.db, merchantId) };
}

function intentOf(fact: IntentFact) {
  return {
    id: fact.id,
    referenceKey: fact.reference,
    amount: BigInt(fact.amount) as Poisha,
    status: 'PENDING' as const,
    createdAt: new Date(fact.made),
    expiresAt: new Date(fact.ends),
    shownReceivers: fact.shown.map((wallet) => ({
      receiverAccountId: WALLETS[wallet]?.id ?? '',
      paymentMethod: methodOf(wallet),
    })),
    expectedTrxId: fact.expectedTrxId,
    expectedSenderMsisdn: fact.expectedPayer,
    sourceSequence: fact.sequence,
    decisionSequence: 0,
  };
}

function evidenceOf(fact: TextFact) {
  return {
    smsEventId: fact.id,
    provider: fact.provider,
    method: methodOf(fact.wallet ?? 0),
    trxId: fact.trxId,
    referenceKey: fact.reference,
    amount: BigInt(fact.amount) as Poisha,
    receiverAccountId: fact.wallet === undefined ? undefined : WALLETS[fact.wallet]?.id,
    receiverMsisdn: undefined,
    payerMsisdn: fact.payer,
    providerTime: new Date(fact.sent),
    ingestedAt: new Date(fact.here),
    state: 'WAITING' as const,
    authenticity: fact.isUnsigned ? ('unsigned' as const) : undefined,
    signals: fact.signals.map(aSignal),
    factsSequence: 1,
    signalsSequence: 1,
    revision: 1,
  };
}

function actionOf({ act, intentId, acknowledged }: Extract<Happening, { kind: 'person' }>): ReviewAction {
  const published = { requestId: randomUUID(), reason: 'The customer has shown us the receipt' };
  const differences = acknowledged && {
    acknowledgeMethodMismatch: true,
    acknowledgeReceiverMismatch: true,
    acknowledgeReferenceMismatch: true,
    acknowledgeAmountDifference: true,
    expectedAmount: formatAmount(BigInt(acknowledged.expected)),
    receivedAmount: formatAmount(BigInt(acknowledged.received)),
  };
  // The model knows only the reason of a text, not its further doubts.
  const doubts = { acknowledgeDoubts: [...DOUBTS_TO_ACKNOWLEDGE] };
  switch (act) {
    case 'resolve':
      return { action: act, ...published, ...differences, ...doubts } as ReviewAction;
    case 'link':
      return { action: act, ...published, ...differences, ...doubts, paymentIntentId: intentId } as ReviewAction;
    case 'assign':
      return { action: act, ...published, assigneeId: randomUUID() };
    case 'reject':
    case 'refunded':
    case 'not-ours':
    case 'reopen':
      return { action: act, ...published };
  }
}

async function seenBy(db: Database, merchantId: string): Promise<Record<string, unknown>> {
  const [row] = await db.query(
    `select
       (select coalesce(json_object_agg(id, json_build_array(status) order by id), '{}') from intents
        where merchant_id = $1) as intents,
       (select coalesce(json_object_agg(sms_event_id, json_build_array(status, reason, payment_intent_id, paid_in_time,
          status = 'REVIEW_REQUIRED' and doubts ? 'contradicting_texts',
          status = 'REVIEW_REQUIRED' and doubts ? 'other_intent_rejected')
          order by sms_event_id), '{}') from matches where merchant_id = $1) as texts,
       (select coalesce(json_object_agg(id, json_build_array(outcome, state = 'SETTLED') order by id), '{}') from claims
        where merchant_id = $1) as claims`,
    [merchantId],
  );
  if (row === undefined) throw new Error('nothing was read');
  return row;
}
