import { answerTo, isPaidInTime, meaningOf } from './model-rules';
import { claimsOn, isUnspent, isUsed, leadingTo, namedBy, type Intent, type Model, type Text } from './model-state';

/** Judges texts, the oldest first; an intent that is closed by one makes the others that lead to it mean something else. */
export function look(model: Model, texts: readonly Text[]): void {
  const agenda = new Set(texts);
  while (agenda.size > 0) {
    const [next] = [...agenda].sort((one, other) => one.here - other.here || (one.id < other.id ? -1 : 1));
    if (next === undefined) return;
    agenda.delete(next);
    const paid = judge(model, next);
    if (paid !== undefined) for (const other of leadingTo(model, paid).filter(isUnspent)) agenda.add(other);
  }
}

/** One text, by its reference first and then by the claims of its TrxID. Answers the intent that it pays. */
function judge(model: Model, text: Text): Intent | undefined {
  if (!isUnspent(text) && !isUsed(text)) return undefined;
  const named = namedBy(model, text);
  const claims = claimsOn(model, text);
  const byReference = named === undefined ? [] : [{ intent: named, claim: undefined }];
  const byClaim = claims.flatMap((claim) => {
    const intent = model.intents.get(claim.intentId);
    return intent === undefined ? [] : [{ intent, claim }];
  });
  const ways = [...byReference, ...byClaim].map((way) => ({
    ...way,
    meaning: meaningOf(model, text, way.intent, way.claim),
  }));

  const paying = isUsed(text) ? undefined : ways.find(({ meaning }) => meaning.kind === 'pays');
  const payee = isUsed(text) ? text.about : paying?.intent.id;
  for (const { claim, intent, meaning } of ways) {
    if (claim !== undefined) claim.answer = answerTo(claim, intent, meaning, payee);
    if (claim !== undefined && payee !== undefined) claim.isSettled = true;
  }
  if (isUsed(text)) return undefined;
  if (paying !== undefined) {
    const reason = paying.claim === undefined ? 'reference_match' : 'trx_id_match';
    Object.assign(text, { status: 'MATCHED', reason, about: paying.intent.id, paidInTime: null });
    paying.intent.status = 'PAID';
    return paying.intent;
  }
  const doubtful = ways.flatMap(({ intent, meaning }) => (meaning.kind === 'doubtful' ? [{ intent, meaning }] : []));
  for (const { intent, meaning } of doubtful) {
    if (meaning.concernsIntent && intent.status === 'PENDING') intent.status = 'REVIEW_REQUIRED';
  }
  const [first] = doubtful;
  if (first !== undefined) {
    const paidInTime = first.meaning.reason === 'late_payment' ? isPaidInTime(text, first.intent) : null;
    const { reason } = first.meaning;
    Object.assign(text, { status: 'REVIEW_REQUIRED', reason, about: first.intent.id, paidInTime });
  }
  return undefined;
}
