import {
  answerTo,
  isBeforeRejection,
  isOwnPayer,
  isPaidInTime,
  isTooEarly,
  meaningOf,
  timed,
  unseen,
  type Meaning,
} from './model-rules';
import {
  claimsOn,
  isOpen,
  isUnspent,
  isUsed,
  leadingTo,
  namedBy,
  type Claim,
  type Intent,
  type Model,
  type Text,
} from './model-state';

/** Decides texts, the oldest first, because a decision that closes an intent changes that of later texts for it. */
export function decideTexts(model: Model, texts: readonly Text[]): void {
  const queue = new Set(texts);
  while (queue.size > 0) {
    const [next] = [...queue].sort((one, other) => one.here - other.here || (one.id < other.id ? -1 : 1));
    if (next === undefined) return;
    queue.delete(next);
    const paid = decideText(model, next);
    if (paid !== undefined) for (const other of leadingTo(model, paid).filter(isUnspent)) queue.add(other);
  }
}

/** One text, by its reference first and then by the claims of its TrxID. Answers the intent that it pays. */
function decideText(model: Model, text: Text): Intent | undefined {
  if (mayReturn(text)) returnToReview(model, text);
  if (!isUnspent(text) && !isUsed(text)) return undefined;
  const named = namedBy(model, text);
  const claims = claimsOn(model, text);
  for (const claim of claims) claim.hasText = true;
  const byReference = named === undefined ? [] : [{ intent: named, claim: undefined }];
  const byClaim = claims.flatMap((claim) => {
    const intent = model.intents.get(claim.intentId);
    return intent === undefined ? [] : [{ intent, claim }];
  });
  const all = [...byReference, ...byClaim].map((way) => ({
    ...way,
    meaning: meaningOf(model, text, way.intent, way.claim && timed(way.claim, text)),
  }));
  const early = isUsed(text) ? [] : all.filter(({ claim }) => claim !== undefined && isTooEarly(claim, text));
  const rivals = withoutRivals(
    text,
    all.filter((way) => !early.includes(way)),
  );
  if (!isUsed(text) && leadsToRejected(text, rivals)) text.hasRejectedIntent = true;
  const ways = rivals.map((way) => withPerson(text, way));

  const paying = isUsed(text) ? undefined : ways.find(({ meaning }) => meaning.kind === 'pays');
  const payee = isUsed(text) ? text.about : paying?.intent.id;
  for (const { claim, intent, meaning } of ways) {
    if (claim !== undefined) claim.answer = answerTo(claim, intent, meaning, payee);
    if (claim !== undefined && payee !== undefined) claim.isSettled = true;
  }
  for (const { claim, intent, meaning } of early) {
    if (claim === undefined) continue;
    claim.answer = payee === undefined ? unseen(claim, intent) : answerTo(claim, intent, meaning, payee);
    if (payee !== undefined) claim.isSettled = true;
  }
  if (isUsed(text)) return undefined;
  if (paying !== undefined) {
    const reason = paying.claim === undefined ? 'reference_match' : 'trx_id_match';
    Object.assign(text, { status: 'MATCHED', reason, about: paying.intent.id, paidInTime: null });
    paying.intent.status = 'PAID';
    return paying.intent;
  }
  const doubtful = ways.flatMap(({ intent, claim, meaning }) =>
    meaning.kind === 'doubtful' ? [{ intent, claim, meaning }] : [],
  );
  for (const { intent, meaning } of doubtful) {
    if (meaning.concernsIntent && intent.status === 'PENDING') intent.status = 'REVIEW_REQUIRED';
  }
  const first = concerned(text, doubtful);
  if (first !== undefined) {
    const paidInTime = first.meaning.reason === 'late_payment' ? isPaidInTime(text, first.intent) : null;
    const { reason } = first.meaning;
    Object.assign(text, { status: 'REVIEW_REQUIRED', reason, about: first.intent.id, paidInTime });
  }
  return undefined;
}

type DoubtfulWay = Way & { readonly meaning: Extract<Meaning, { readonly kind: 'doubtful' }> };

/** Whom a person decides about. */
function concerned(
  { hasRejectedIntent, isContradicting }: Text,
  ways: readonly DoubtfulWay[],
): DoubtfulWay | undefined {
  const [first] = ways;
  const open = ways.find(({ meaning }) => meaning.concernsIntent);
  const isWorthless = first?.claim !== undefined && first.intent.status === 'REJECTED';
  if (isWorthless) {
    const other = ways.find(({ intent }) => mayBePaid(intent)) ?? ways.find(({ intent }) => intent.status === 'PAID');
    return open ?? other ?? first;
  }
  return (hasRejectedIntent || isContradicting ? open : undefined) ?? first;
}

/** By a person. */
const mayBePaid = ({ status }: Intent) => status !== 'PAID' && status !== 'REJECTED';

const mayReturn = ({ isMoney, status, reason }: Text) =>
  isMoney && status === 'REJECTED' && reason === 'rejected_by_person';

/** A person has rejected an intent for the text: the claim of another open intent puts it back into review. */
function returnToReview(model: Model, text: Text): void {
  const named = namedBy(model, text);
  const meanings = claimsOn(model, text).flatMap((claim) => {
    const intent = model.intents.get(claim.intentId);
    if (intent === undefined || !isOpen(intent)) return [];
    return [
      ...(isTooEarly(claim, text) ? [] : [meaningOf(model, text, intent, timed(claim, text))]),
      ...(intent === named ? [meaningOf(model, text, intent, undefined)] : []),
    ];
  });
  if (!meanings.some((each) => each.kind === 'pays' || (each.kind === 'doubtful' && each.concernsIntent))) return;
  Object.assign(text, { status: 'REVIEW_REQUIRED', hasRejectedIntent: true });
}

/**
 * A person has rejected an intent, perhaps for another text, and another one can still be paid. Later claims do not
 * count.
 */
function leadsToRejected(text: Text, ways: readonly Way[]): boolean {
  const seen = ways.filter(({ meaning }) => meaning.kind !== 'hidden');
  const isRejected = ({ intent, claim }: Way) =>
    intent.status === 'REJECTED' && (claim === undefined || isBeforeRejection(claim, intent, text));
  return seen.some(isRejected) && seen.some(({ intent }) => mayBePaid(intent));
}

function withPerson({ hasRejectedIntent, isContradicting }: Text, way: Way): Way {
  if (!(hasRejectedIntent || isContradicting) || way.meaning.kind !== 'pays') return way;
  const reason = isContradicting ? 'contradicting_texts' : 'other_intent_rejected';
  return { ...way, meaning: { kind: 'doubtful', reason, concernsIntent: true } };
}

interface Way {
  readonly intent: Intent;
  readonly claim: Claim | undefined;
  readonly meaning: Meaning;
}

/**
 * Claims of several open intents, or of a text that also leads to a paid one: none pays automatically but the one whose
 * payer is that of the text, if it is one alone. Three intents have too few claims to guess digits.
 */
function withoutRivals(text: Text, ways: readonly Way[]): Way[] {
  const rivals = ways.filter(
    ({ claim, intent, meaning }) => claim !== undefined && isOpen(intent) && meaning.kind !== 'hidden',
  );
  const ids = (some: readonly Way[]) => new Set(some.map(({ intent }) => intent.id));
  const paid = ways.filter(({ intent, meaning }) => intent.status === 'PAID' && meaning.kind !== 'hidden');
  if (ids(rivals).size < 2 && paid.length === 0) return [...ways];
  const own = [...rivals, ...paid].filter(({ intent, claim }) => isOwnPayer(text, intent, claim?.digits));
  const spared = ids(own).size === 1 ? own[0]?.intent.id : undefined;
  return ways.map((way) =>
    rivals.includes(way) && way.meaning.kind === 'pays' && way.intent.id !== spared
      ? { ...way, meaning: { kind: 'doubtful', reason: 'competing_claims', concernsIntent: true } }
      : way,
  );
}
