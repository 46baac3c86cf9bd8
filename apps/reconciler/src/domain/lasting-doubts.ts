import type { Assessed } from './assess';
import { LASTING_DOUBTS, type LastingDoubt } from './reasons';
import type { Match } from './working-set';

/** Those of a match and the added ones: none disappears. */
export function lastingDoubtsOf(
  match: Pick<Match, 'doubts'> | undefined,
  added: readonly LastingDoubt[] = [],
): LastingDoubt[] {
  return LASTING_DOUBTS.filter((doubt) => added.includes(doubt) || match?.doubts.includes(doubt) === true);
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
