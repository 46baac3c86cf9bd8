import { TEST_CASE_KEYS } from '@pay/contracts';
import { describeTestCases } from './test-cases';

describe('test cases', () => {
  it('are listed in both languages in the order of their keys', () => {
    for (const language of ['en', 'bn'] as const)
      expect(describeTestCases(language).map(({ key }) => key)).toEqual([...TEST_CASE_KEYS]);
  });

  it('contain no Latin words in Bangla but those of the interface', () => {
    const kept =
      /TrxID|Tk|PAID|PENDING|MATCHED|DUPLICATE|EXPIRED|REJECTED|UNPARSED|REVIEW_REQUIRED|INTENT_EXPIRED|OTHER|LIVE|successUrl|status=PAID|environment|matched: true|payment\.\w+|[a-z]+(?:_[a-z]+)+|2xx|4xx/g;
    for (const { title, purpose, steps, expected } of describeTestCases('bn'))
      for (const text of [title, purpose, ...steps, ...expected])
        expect(text.replace(kept, '')).not.toMatch(/[A-Za-z]/);
  });
});
