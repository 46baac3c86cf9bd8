import type { Environment } from '@pay/contracts';
import { methodOf, type ClaimFact, type Happening, type IntentFact, type TextFact } from './facts';
import { decideTexts } from './model-decisions';
import { applyReview } from './model-reviews';
import { distrustedAlone, isPayable, MINUTE, unseen, WINDOW } from './model-rules';
import { isUnspent, isUsed, leadingTo, textsOf, type Claim, type Intent, type Model, type Text } from './model-state';

/**
 * An independent model of the reconciler over all facts in memory. It is written from the decision table and uses
 * nothing of src/, so that a wrong rule there causes a difference.
 */

/** The effect of a step; returns the response to the person or customer. `only`: the clock reaches no other intents. */
export function happen(model: Model, what: Happening, only?: readonly string[]): string {
  switch (what.kind) {
    case 'intent':
      return learnIntent(model, what.intent);
    case 'text':
      return learnText(model, what.text);
    case 'unparsed':
      if (!model.texts.has(what.id)) model.texts.set(what.id, notUnderstood(what));
      return '';
    case 'signals':
      return learnSignals(model, what);
    case 'claim':
      return learnClaim(model, what.claim);
    case 'expire':
      return closeAll(model, 'EXPIRED', ({ id, ends, environment }) => {
        const waitsFor = what.undecided[environment];
        return (only?.includes(id) ?? true) && ends <= what.clock && !(waitsFor !== undefined && waitsFor <= ends);
      });
    case 'look':
      return closeAll(model, 'FAILED', (intent) => (only?.includes(intent.id) ?? true) && !isPayable(model, intent));
    case 'windows':
      for (const text of model.texts.values()) {
        if (text.status !== 'PENDING' || text.here >= what.clock - WINDOW) continue;
        Object.assign(text, { status: 'EXPIRED', reason: 'match_window_over', isPastWindow: true });
      }
      for (const claim of model.claims.values()) {
        const status = model.intents.get(claim.intentId)?.status ?? 'PENDING';
        const isEnded = status !== 'PENDING' && status !== 'REVIEW_REQUIRED';
        if (isEnded && !claim.hasText && claim.latest < what.clock - WINDOW) claim.isSettled = true;
      }
      return '';
    case 'settings':
      model.shop = what.shop;
      return '';
    case 'person':
      return applyReview(model, what);
  }
}

function learnIntent(model: Model, fact: IntentFact): string {
  const known = model.intents.get(fact.id);
  if (known === undefined) model.intents.set(fact.id, { ...fact, status: 'PENDING', rejectedAt: undefined });
  if (known === undefined || fact.sequence > known.sequence) {
    const { id, environment, expectedTrxId, made, shown, sequence } = fact;
    if (known !== undefined) Object.assign(known, { shown, sequence });
    if (expectedTrxId !== undefined && !model.claims.has(id)) {
      model.claims.set(
        id,
        newClaim({ id, environment, intentId: id, trxId: expectedTrxId, at: made, digits: undefined }),
      );
    }
    decideTexts(model, leadingTo(model, fact));
  }
  answerUnseen(model, ({ intentId }) => intentId === fact.id);
  return '';
}

function learnClaim(model: Model, fact: ClaimFact): string {
  const claim = model.claims.get(fact.id) ?? newClaim(fact);
  model.claims.set(fact.id, claim);
  submit(claim, fact.at, model.intents.get(fact.intentId));
  decideTexts(model, textsOf(model, claim));
  dropOldest(model, fact);
  answerUnseen(model, ({ id }) => id === claim.id);
  return model.intents.has(claim.intentId) ? claim.answer : 'unavailable';
}

/** Up to two minutes after a rejection, because clocks differ. */
const endOf = ({ ends, rejectedAt }: Intent) => (rejectedAt === undefined ? ends : rejectedAt + 2 * MINUTE);

/** A submission that changes a time of a claim opens it again. */
function submit(claim: Claim, at: number, intent: Intent | undefined): void {
  const times = [claim.at, claim.latest, at].sort((one, other) => one - other);
  const end = intent === undefined ? times[0] : endOf(intent);
  const latest = Math.max(...times);
  const before = times.findLast((time) => time <= (end ?? 0)) ?? latest;
  if (latest !== claim.latest || before !== claim.at) Object.assign(claim, { at: before, latest, isSettled: false });
}

/** An intent keeps three open claims of its customer whose text has not arrived. */
function dropOldest({ claims }: Model, { intentId }: ClaimFact): void {
  const open = [...claims.values()]
    .filter((claim) => claim.intentId === intentId && claim.id !== intentId && !claim.isSettled && !claim.hasText)
    .sort((one, other) => other.latest - one.latest || (one.id < other.id ? 1 : -1));
  for (const claim of open.slice(3)) Object.assign(claim, { answer: 'dropped', isSettled: true });
}

const newClaim = (fact: ClaimFact): Claim => ({
  ...fact,
  latest: fact.at,
  answer: 'waiting',
  isSettled: false,
  hasText: false,
});

function learnText(model: Model, fact: TextFact): string {
  if (model.texts.has(fact.id)) return '';
  const isRefused = !model.shop.methods.includes(methodOf(fact.wallet ?? 0));
  const early = model.early.get(fact.id);
  const text: Text = {
    ...fact,
    status: 'PENDING',
    reason: fact.reference === undefined ? 'no_reference' : 'reference_not_found',
    before: { status: '', reason: '' },
    about: null,
    paidInTime: null,
    isMoney: true,
    isPastWindow: false,
    hasRejectedIntent: false,
    isContradicting: false,
    signals: early?.signals ?? fact.signals,
    signalsSequence: early?.sequence ?? 1,
  };
  const stored = textsOf(model, fact).find(({ provider }) => provider === fact.provider);
  model.texts.set(fact.id, text);
  if (stored !== undefined && (isRefused || !replaces(model, stored, text)))
    Object.assign(text, { status: 'DUPLICATE', reason: 'duplicate_trx_id', isMoney: false });
  else if (isRefused) Object.assign(text, { status: 'FAILED', reason: 'method_not_allowed' });
  else decideTexts(model, [text]);
  return '';
}

/** A text without doubts replaces a doubtful one of its TrxID, or one with other facts that a person has closed. */
function replaces(model: Model, stored: Text, text: Text): boolean {
  const isDoubtful = (each: Text) => each.wallet === undefined || distrustedAlone(model, each).length > 0;
  const isOther =
    stored.amount !== text.amount ||
    stored.reference !== text.reference ||
    stored.payer !== text.payer ||
    stored.sent !== text.sent ||
    (stored.wallet !== undefined && stored.wallet !== text.wallet);
  const isReplaced =
    stored.status === 'REJECTED'
      ? isOther
      : isUnspent(stored) && isDoubtful(stored) && (isOther || !stored.isPastWindow);
  if (isDoubtful(text) || !isReplaced) return false;
  const { hasRejectedIntent, isContradicting } = stored;
  Object.assign(text, { hasRejectedIntent, isContradicting: isContradicting || isOther });
  stored.isMoney = false;
  if (stored.status === 'REVIEW_REQUIRED' && isOther) stored.reason = 'contradicting_texts';
  else if (stored.status !== 'REJECTED')
    Object.assign(stored, { status: 'DUPLICATE', reason: 'duplicate_trx_id', about: null, paidInTime: null });
  return true;
}

function notUnderstood({ id, environment, here }: { id: string; environment: Environment; here: number }): Text {
  return {
    id,
    environment,
    here,
    sent: here,
    provider: 'BKASH',
    trxId: '',
    reference: undefined,
    amount: 0,
    wallet: undefined,
    payer: undefined,
    signals: [],
    signalsSequence: 1,
    status: 'UNPARSED',
    reason: 'unknown',
    before: { status: '', reason: '' },
    about: null,
    paidInTime: null,
    isMoney: false,
    isPastWindow: false,
    hasRejectedIntent: false,
    isContradicting: false,
    isUnsigned: false,
  };
}

function learnSignals(model: Model, given: Extract<Happening, { kind: 'signals' }>): string {
  const text = model.texts.get(given.id);
  if (text === undefined || !text.isMoney) {
    if ((model.early.get(given.id)?.sequence ?? 0) < given.sequence) model.early.set(given.id, given);
  } else if (text.signalsSequence < given.sequence) {
    Object.assign(text, { signals: given.signals, signalsSequence: given.sequence });
    if (isUnspent(text)) decideTexts(model, [text]);
  }
  return '';
}

function closeAll(model: Model, status: string, isDue: (intent: Intent) => boolean): string {
  const due = [...model.intents.values()].filter((intent) => intent.status === 'PENDING' && isDue(intent));
  for (const intent of due) intent.status = status;
  decideTexts(model, due.flatMap((intent) => leadingTo(model, intent)).filter(isUnspent));
  return '';
}

/** Claims of a TrxID that no text contains, or only one that has been excluded. */
function answerUnseen(model: Model, concerned: (claim: Claim) => boolean): void {
  for (const claim of model.claims.values()) {
    if (!concerned(claim) || claim.isSettled) continue;
    if (textsOf(model, claim).some((text) => isUnspent(text) || isUsed(text))) continue;
    claim.answer = unseen(claim, model.intents.get(claim.intentId));
  }
}
