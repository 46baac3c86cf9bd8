import { isSeen, type Assessed } from './assess';
import { isBeforeRejection } from './claim-times';
import type { Evidence } from './facts';
import { mayIntentMove } from './lifecycle';
import { LASTING_DOUBTS, type LastingDoubt } from './reasons';
import type { Match } from './working-set';

/** Those of a match and the added ones: none disappears. */
export function lastingDoubtsOf(
  match: Pick<Match, 'doubts'> | undefined,
  added: readonly LastingDoubt[] = [],
): LastingDoubt[] {
  return LASTING_DOUBTS.filter((doubt) => added.includes(doubt) || match?.doubts.includes(doubt) === true);
}

/**
 * The known ones, and `other_intent_rejected` if a person has rejected an intent to which the text leads, perhaps
 * through another exception: only a person makes it pay another one. A claim after the rejection does not count: it
 * costs nothing and would hold up other customers for ever.
 */
export function lastingDoubtsAbout(
  evidence: Evidence,
  assessed: readonly Assessed[],
  known: readonly LastingDoubt[],
): LastingDoubt[] {
  const seen = assessed.filter(isSeen);
  const hasRejected = seen.some(
    ({ intent, claim }) =>
      intent.status === 'REJECTED' && (claim === undefined || isBeforeRejection(claim, intent, evidence)),
  );
  const isRejected = hasRejected && seen.some(({ intent }) => mayIntentMove(intent.status, 'PAID', 'person'));
  return lastingDoubtsOf({ doubts: known }, isRejected ? ['other_intent_rejected'] : []);
}

/** Evidence with a lasting doubt pays nothing automatically. An existing reason for a review is not replaced. */
export function withLastingDoubts(assessed: readonly Assessed[], lasting: readonly LastingDoubt[]): Assessed[] {
  const [reason] = lasting;
  if (reason === undefined) return [...assessed];
  return assessed.map((each): Assessed => {
    const { assessment } = each;
    if (assessment.kind === 'not_seen') return each;
    if (assessment.kind === 'review')
      return { ...each, assessment: { ...assessment, doubts: [...assessment.doubts, ...lasting] } };
    const { checks } = assessment;
    const inReview = { kind: 'review', reason, checks, concernsIntent: true, paidInTime: undefined } as const;
    return { ...each, assessment: { ...inReview, doubts: lasting } };
  });
}
