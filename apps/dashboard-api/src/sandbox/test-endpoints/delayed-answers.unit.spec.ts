import { delayedAnswers } from './delayed-answers';

describe('delayed answers of hosted endpoints', () => {
  const ends: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => ends.push(resolve));
  beforeEach(() => (ends.length = 0));

  const mayWait = (answers: ReturnType<typeof delayedAnswers>, merchantId: string) => {
    try {
      answers.assertMayWait(merchantId, 20);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 20 });
      return false;
    }
  };

  it('are as many per merchant as allowed, and do not count for another merchant', async () => {
    const answers = delayedAnswers(sleep, { all: 10, ofMerchant: 2 });
    const waiting = [answers.wait('slow', 20), answers.wait('slow', 20)];

    expect(mayWait(answers, 'slow')).toBe(false);
    expect(mayWait(answers, 'other')).toBe(true);

    ends.shift()?.();
    await waiting[0];
    expect(mayWait(answers, 'slow')).toBe(true);
  });

  it('are bounded for all merchants together', async () => {
    const answers = delayedAnswers(sleep, { all: 3, ofMerchant: 2 });
    const waiting = ['a', 'b', 'c'].map((merchantId) => answers.wait(merchantId, 20));

    expect(mayWait(answers, 'd')).toBe(false);

    for (const end of ends) end();
    await Promise.all(waiting);
    expect(mayWait(answers, 'd')).toBe(true);
  });
});
