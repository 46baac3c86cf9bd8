import type { Happening } from './facts';
import { decideTexts } from './model-decisions';
import { isLate, isPaidInTime, isTooOld, namesAnother, wentElsewhere } from './model-rules';
import { isUnspent, leadingTo, type Model, type Text } from './model-state';

/** The decision of a person, and the response to it. */
export function applyReview(model: Model, what: Extract<Happening, { kind: 'person' }>): string {
  const text = model.texts.get(what.textId);
  if (text === undefined) return 'NOT_FOUND';
  const isWaiting = ['PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'].includes(text.status);
  switch (what.act) {
    case 'assign':
      return isWaiting || text.status === 'UNPARSED' ? 'done' : 'EXCEPTION_DECIDED';
    case 'refunded':
    case 'not-ours':
      if (!isWaiting && text.status !== 'UNPARSED') return 'EXCEPTION_DECIDED';
      text.before = { status: text.status, reason: text.reason };
      Object.assign(text, { status: 'REJECTED', reason: what.act === 'refunded' ? 'refunded' : 'not_ours' });
      return 'done';
    case 'reopen':
      if (text.status !== 'REJECTED') return 'EXCEPTION_NOT_CLOSED';
      if (!text.isMoney) return 'NO_MONEY_READ';
      if (text.reason === 'rejected_by_person') text.hasRejectedIntent = true;
      Object.assign(text, text.before);
      decideTexts(model, [text]);
      return 'done';
    case 'reject': {
      if (!isWaiting && text.status !== 'UNPARSED') return 'EXCEPTION_DECIDED';
      const intent = model.intents.get(text.about ?? '');
      if (intent?.status !== 'REVIEW_REQUIRED') return 'INTENT_NOT_IN_REVIEW';
      text.before = { status: text.status, reason: text.reason };
      Object.assign(text, { status: 'REJECTED', reason: 'rejected_by_person' });
      Object.assign(intent, { status: 'REJECTED', rejectedAt: what.at });
      decideTexts(model, [text, ...leadingTo(model, intent).filter(isUnspent)]);
      return 'done';
    }
    case 'resolve':
    case 'link':
      return approve(model, text, what, isWaiting);
  }
}

function approve(
  model: Model,
  text: Text,
  { act, intentId, acknowledged }: Extract<Happening, { kind: 'person' }>,
  isWaiting: boolean,
): string {
  const intent = model.intents.get(act === 'link' ? intentId : (text.about ?? ''));
  if (act === 'link' && intent?.environment !== text.environment) return 'NOT_FOUND';
  if (text.status === 'UNPARSED') return 'NO_MONEY_READ';
  if (text.status === 'DUPLICATE') return 'duplicate_trx_id';
  if (!isWaiting) return 'EXCEPTION_DECIDED';
  if (!text.isMoney) return 'duplicate_trx_id';
  if (intent === undefined) return 'NO_INTENT_TO_APPROVE';
  if (intent.status === 'PAID' || intent.status === 'REJECTED') return 'INTENT_NOT_PENDING';
  if (acknowledged === undefined) {
    if (namesAnother(model, text, intent)) return 'NAMES_ANOTHER_INTENT';
    const elsewhere = wentElsewhere(model, text, intent);
    if (elsewhere !== undefined) return elsewhere === 'wrong_method' ? 'METHOD_DIFFERS' : 'RECEIVER_DIFFERS';
  }
  const hasSeenAmounts = acknowledged?.expected === intent.amount && acknowledged.received === text.amount;
  if (text.amount !== intent.amount && !hasSeenAmounts) return 'AMOUNT_DIFFERS';
  const isDoubtfulInTime = isLate(text, intent, undefined) || text.isPastWindow || isTooOld(text, intent, undefined);
  Object.assign(text, {
    status: 'MANUALLY_RESOLVED',
    reason: act === 'link' ? 'linked_by_person' : 'approved_by_person',
    about: intent.id,
    paidInTime: isDoubtfulInTime ? isPaidInTime(text, intent) : null,
  });
  intent.status = 'PAID';
  decideTexts(model, [text, ...leadingTo(model, intent).filter(isUnspent)]);
  return 'done';
}
