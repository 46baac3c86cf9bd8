import type { IntentCopy } from '../domain/intent-copy';
import { checkoutFinder } from './find-checkout';

const ID = '00000000-0000-7000-8000-000000000001';
const COPY = { sequence: 1, intent: { id: ID } } as IntentCopy;

function finder(answer: IntentCopy | undefined) {
  const stored: IntentCopy[] = [];
  let asked = 0;
  let now = 0;
  const find = checkoutFinder({
    find: () => Promise.resolve(stored[0] && { copy: stored[0], claimOutcomes: ['waiting'] }),
    ask: () => {
      asked += 1;
      return Promise.resolve(answer);
    },
    store: (copy) => Promise.resolve(void stored.push(copy)),
    now: () => new Date(now),
  });
  return { find, stored, asked: () => asked, advance: (ms: number) => (now += ms) };
}

describe('finding the copy of an intent', () => {
  it('requests a missing copy from intent-api once for all concurrent callers and stores it', async () => {
    const { find, stored, asked } = finder(COPY);

    expect(await Promise.all([find(ID), find(ID), find(ID)])).toEqual(
      Array.from({ length: 3 }, () => ({ copy: COPY, claimOutcomes: [] })),
    );
    expect({ stored, asked: asked() }).toEqual({ stored: [COPY], asked: 1 });
  });

  it('does not call intent-api for a copy that exists', async () => {
    const { find, asked } = finder(COPY);
    await find(ID);

    await find(ID);

    expect(asked()).toBe(1);
  });

  it('answers NOT_FOUND for an unknown id and does not request it again for a second', async () => {
    const { find, asked, advance } = finder(undefined);

    await expect(find(ID)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    advance(999);
    await expect(find(ID)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(asked()).toBe(1);

    advance(1);
    await expect(find(ID)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(asked()).toBe(2);
  });
});
