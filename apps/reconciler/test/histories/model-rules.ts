import { methodOf } from './facts';
import { isOpen, namedBy, type Claim, type Intent, type Model, type Text } from './model-state';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const WINDOW = 72 * HOUR;
const TRX_ID_LEAD = 10 * MINUTE;
const minuteOf = (time: number) => Math.floor(time / MINUTE) * MINUTE;

export type Meaning =
  | { readonly kind: 'pays' }
  /** The claimant gets no information. */
  | { readonly kind: 'hidden'; readonly isElsewhere: boolean }
  | { readonly kind: 'doubtful'; readonly reason: string; readonly concernsIntent: boolean };

/** The decision table: the result of a text for the intent of its reference or claim. */
export function meaningOf(model: Model, text: Text, intent: Intent, claim: Claim | undefined): Meaning {
  const reviewOfEvidence = (reason: string): Meaning => ({ kind: 'doubtful', reason, concernsIntent: false });
  const doubt = (reason: string): Meaning => ({ kind: 'doubtful', reason, concernsIntent: true });
  const elsewhere = wentElsewhere(model, text, intent);
  if (elsewhere !== undefined)
    return claim === undefined ? reviewOfEvidence(elsewhere) : { kind: 'hidden', isElsewhere: true };
  if (claim !== undefined && namesAnother(model, text, intent)) return { kind: 'hidden', isElsewhere: false };
  if (intent.status === 'PAID') return reviewOfEvidence('intent_already_paid');
  if (intent.status === 'FAILED' || intent.status === 'REJECTED') return reviewOfEvidence('intent_closed');
  if (isLate(text, intent, claim)) return reviewOfEvidence('late_payment');
  if (text.amount !== intent.amount) {
    return doubt(claim === undefined ? 'reference_match_amount_mismatch' : 'trx_id_match_amount_mismatch');
  }
  if (text.isPastWindow) return doubt('match_window_over');
  if (isTooOld(text, intent, claim)) return doubt('evidence_too_old');
  const [distrust] = [...distrusted(model, text, intent, claim), ...doubtsOfClaim(model, text, claim)];
  return distrust === undefined ? { kind: 'pays' } : doubt(distrust);
}

/** The digits are required of customers, not of the merchant, whose claims have the id of their intent. */
function doubtsOfClaim({ shop }: Model, text: Text, claim: Claim | undefined): string[] {
  if (claim === undefined) return [];
  const { digits } = claim;
  const isAsked = shop.requirePayerDigits && claim.id !== claim.intentId;
  return [
    ...(claim.at < minuteOf(text.sent) ? ['claim_before_payment'] : []),
    ...(isAsked && digits === undefined ? ['payer_digits_missing'] : []),
    ...(isAsked && digits !== undefined && digits !== text.payer?.slice(-3) ? ['payer_digits_differ'] : []),
  ];
}

/** By the submission that counts: the first one at or after the minute of the payment, otherwise the last one. */
export function timed(claim: Claim, { sent }: Text): Claim {
  return { ...claim, at: claim.at >= minuteOf(sent) ? claim.at : claim.latest };
}

/** More than two minutes before the minute of the payment: an early claim. */
export function isTooEarly(claim: Claim, text: Text): boolean {
  return timed(claim, text).at < minuteOf(text.sent) - 2 * MINUTE;
}

/** One of its submissions that is not early came before the rejection of its intent, as far as clocks agree. */
export function isBeforeRejection(claim: Claim, { rejectedAt = 0 }: Intent, { sent }: Text): boolean {
  return [claim.at, claim.latest].some((at) => at >= minuteOf(sent) - 2 * MINUTE && at <= rejectedAt + 2 * MINUTE);
}

/** The text shows the payer that the merchant expects, and the digits of the customer, as far as they are known. */
export function isOwnPayer({ payer }: Text, { expectedPayer }: Intent, digits: string | undefined): boolean {
  if (payer === undefined || (expectedPayer === undefined && digits === undefined)) return false;
  return (expectedPayer ?? payer) === payer && (digits === undefined || payer.endsWith(digits));
}

export function wentElsewhere({ shop }: Model, { wallet }: Text, { shown }: Intent): string | undefined {
  const method = methodOf(wallet ?? 0);
  const methods = shown.length > 0 ? shown.map(methodOf) : shop.methods;
  if (!methods.includes(method)) return 'wrong_method';
  if (wallet === undefined) return 'receiver_unknown';
  const wallets = shown.length > 0 ? shown : shop.isActive ? shop.wallets : [];
  return wallets.includes(wallet) ? undefined : 'wrong_receiver';
}

export function namesAnother(model: Model, text: Text, intent: Intent): boolean {
  const named = namedBy(model, text);
  return named !== undefined && named.id !== intent.id && isOpen(named);
}

export function isPaidInTime({ sent }: Text, { ends }: Intent): boolean {
  return minuteOf(sent) <= ends;
}

export function isLate(text: Text, intent: Intent, claim: Claim | undefined): boolean {
  return intent.status === 'EXPIRED' || (claim?.at ?? text.here) > intent.ends || !isPaidInTime(text, intent);
}

export function isTooOld(text: Text, { environment, made }: Intent, claim: Claim | undefined): boolean {
  if (claim === undefined) return environment === 'LIVE' && text.sent < minuteOf(made - WINDOW);
  return text.sent < minuteOf(made - TRX_ID_LEAD);
}

/** Whatever intent it is for. */
export function distrustedAlone({ shop: { rules } }: Model, text: Text): string[] {
  const isBreak = (name: string) => name === 'balance_break';
  const isLive = text.environment === 'LIVE';
  const isRelaxed = (name: string) => rules.relaxedSignals?.includes(name) ?? false;
  const isHonest = (name: string) => ['grammar', 'provider_time', 'receiver'].includes(name);
  const isForged = (name: string) =>
    !isBreak(name) && !isRelaxed(name) && (rules.reviewForgerySignals || (isLive && !isHonest(name)));
  return [
    ...(text.signals.some(isForged) ? ['forgery_signals'] : []),
    ...(isLive && text.isUnsigned && !isRelaxed('unsigned_forwarder') ? ['unsigned_forwarder'] : []),
    ...(rules.reviewBalanceBreaks && text.signals.some(isBreak) ? ['balance_break'] : []),
  ];
}

function distrusted(model: Model, text: Text, intent: Intent, claim: Claim | undefined): string[] {
  const { rules } = model.shop;
  const waited = Math.max(text.here, intent.made, claim?.at ?? 0) - (minuteOf(text.sent) + MINUTE);
  const { expectedPayer } = intent;
  const { payer } = text;
  return [
    ...distrustedAlone(model, text),
    ...(rules.requirePayerAgreement && expectedPayer !== undefined && payer !== undefined && payer !== expectedPayer
      ? ['payer_differs']
      : []),
    ...(rules.reviewOlderThanHours !== null && waited >= rules.reviewOlderThanHours * HOUR ? ['evidence_too_old'] : []),
  ];
}

export function answerTo(claim: Claim, intent: Intent, meaning: Meaning, payee: string | null | undefined): string {
  const hidden = unseen(claim, intent) === 'waiting' ? 'not_found' : unseen(claim, intent);
  if (payee === intent.id) return 'matched';
  if (meaning.kind === 'hidden' && meaning.isElsewhere) return hidden;
  if (payee !== undefined) return 'duplicate_trx_id';
  if (meaning.kind !== 'doubtful') return hidden;
  if (meaning.reason === 'late_payment') return 'intent_expired';
  if (['intent_already_paid', 'intent_closed'].includes(meaning.reason)) return 'intent_not_pending';
  return meaning.reason.endsWith('amount_mismatch') ? 'amount_mismatch' : hidden;
}

export function unseen({ at }: Claim, intent: Intent | undefined): string {
  if (intent === undefined) return 'waiting';
  if (intent.status === 'EXPIRED' || (isOpen(intent) && at > intent.ends)) return 'intent_expired';
  return isOpen(intent) ? 'waiting' : 'intent_not_pending';
}

/** Through any wallet that it has shown; when none was chosen yet, through any of the merchant's. */
export function isPayable({ shop }: Model, { shown }: Intent): boolean {
  const ways = shop.wallets.filter((wallet) => shown.length === 0 || shown.includes(wallet));
  return shop.isActive && ways.some((wallet) => shop.methods.includes(methodOf(wallet)));
}
