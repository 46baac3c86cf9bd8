import type { ClaimArrival } from './arrivals';
import {
  after,
  anIntent,
  claimArrives,
  intentArrives,
  smsArrives,
  someEvidence,
  submittedAgain,
} from '../../test/builders';
import { inMemoryMatching, type InMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';

function numbered({ claim, ...arrival }: ClaimArrival, first: number, last = first): ClaimArrival {
  return { ...arrival, claim: { ...claim, submissionNumbers: { first, last } } };
}

/** In published decisions, then in repeated ones. */
const numbersIn = ({ publishedClaims, repeatedClaims }: InMemoryMatching) =>
  [...publishedClaims, ...repeatedClaims].map(({ submissions }) => submissions);

describe('the number of submissions in a decision about a claim', () => {
  const intent = anIntent({ expiresAt: after(60) });
  const claim = claimArrives(intent.id, TRX, after(4));
  const [first, second, third] = [
    numbered(claim, 1),
    numbered(submittedAgain(claim, after(6)), 2),
    numbered(submittedAgain(claim, after(7)), 3),
  ];
  let matching: InMemoryMatching;
  beforeEach(() => {
    matching = inMemoryMatching();
    matching.deliver(intentArrives(intent));
  });

  it('grows with each submission, and repeated ones are not answered', () => {
    for (const submission of [first, first, second, first, second]) matching.deliver(submission);

    expect(numbersIn(matching)).toEqual([1, 2]);
  });

  it('does not include a submission that arrives before an earlier one, and checkout gets each greater number', () => {
    matching.deliver(second);
    expect(numbersIn(matching)).toEqual([0]);

    matching.deliver(first);
    matching.deliver(second);

    expect(numbersIn(matching)).toEqual([0, 1, 2]);
  });

  it('includes all submissions of one batch, in any order, and is published once', () => {
    matching.deliver(third);
    matching.deliver(third, second, first, third);

    expect(numbersIn(matching)).toEqual([0, 3]);
  });

  it('includes all submissions after the claim is published again with its first and latest time', () => {
    matching.deliver(third);
    matching.deliver(numbered(claim, 1, 2));
    matching.deliver(third);

    expect(matching.repeatedClaims.at(-1)).toMatchObject({ submissions: 3, submittedAt: after(7) });
  });

  it('is not smaller after an earlier submission is repeated, also while the claim pays', () => {
    matching.deliver(first, second);
    matching.deliver(smsArrives(someEvidence({ trxId: TRX })), first);

    expect(matching.publishedClaims.at(-1)).toMatchObject({ outcome: 'matched', submissions: 2 });
  });

  it('is separate for each id under which checkout has stored the claim', () => {
    const underId = (id: string, minute: number, number: number) => {
      const { claim: again, ...arrival } = submittedAgain(claim, after(minute));
      return numbered({ ...arrival, claim: { ...again, id } }, number);
    };
    matching.deliver(first, second);

    matching.deliver(underId('later', 8, 2));
    matching.deliver(underId('earlier', 5, 1));
    matching.deliver(underId('later', 7, 1));

    expect(matching.claim('later')).toMatchObject({ state: 'OPEN', submissions: 1 });
    expect(matching.publishedClaims.filter(({ id }) => id === 'earlier')).toMatchObject([
      { outcome: 'dropped', submissions: 1 },
    ]);
  });

  it('is missing for submissions without numbers, which the previous version of checkout sends', () => {
    matching.deliver(claim);
    matching.deliver(submittedAgain(claim, after(6)));
    expect(numbersIn(matching)).toEqual([undefined, undefined]);

    matching.deliver(third);

    expect(numbersIn(matching)).toEqual([undefined, undefined, 3]);
  });

  it('is missing after one without a number until the next number, and repeated ones are not answered', () => {
    const second = submittedAgain(claim, after(6));
    for (const submission of [first, second, second]) matching.deliver(submission);
    expect(numbersIn(matching)).toEqual([1, undefined]);

    matching.deliver(third);

    expect(numbersIn(matching)).toEqual([1, undefined, 3]);
  });

  it('is missing for a batch with one without a number', () => {
    matching.deliver(submittedAgain(claim, after(6)), first);

    expect(numbersIn(matching)).toEqual([undefined]);
  });

  it('is 0 if a repeat of a stored submission is the first that arrives', () => {
    matching.deliver(numbered(claim, 1, 0));

    expect(numbersIn(matching)).toEqual([0]);
  });
});
