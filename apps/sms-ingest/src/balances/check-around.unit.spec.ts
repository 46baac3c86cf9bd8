import fc from 'fast-check';
import type { StoredText, Stretch } from './balance-text-repository';
import { checkAround } from './check-around';
import { checkChain, MOST_BETWEEN, type CheckedText } from '../domain/balance-chain';
import type { BalanceText } from '../domain/balance-order';

const MINUTE = 60_000;
/** The fewest texts before and after a time that must be read. */
const TEXTS = 2 * MOST_BETWEEN;
const PAGE = 3;

const AMOUNTS = [100n, -100n, 200n, -200n, 300n];

/**
 * The texts of a wallet by the round in which they arrive. Few different amounts: the sum of lost texts is often zero,
 * so that others look forged.
 */
const ROUNDS = fc
  .array(
    fc.record({
      wait: fc.constantFrom(0, 0, 1, 1, 2),
      amount: fc.constantFrom(...AMOUNTS),
      round: fc.constantFrom(0, 0, 0, 1, 2),
    }),
    { minLength: 120, maxLength: 160, size: 'max' },
  )
  .map((steps) => {
    let balance = 1_000_000n;
    let at = 0;
    const rounds: BalanceText[][] = [[], [], []];
    for (const [place, { wait, amount, round }] of steps.entries()) {
      balance += amount;
      at += wait * MINUTE;
      const id = `text ${String(place).padStart(3, '0')}`;
      rounds[round]?.push({ id, at, receivedAt: at + place, balance, effects: [amount], pair: null });
    }
    return rounds;
  });

/** A wallet whose texts are read and stored as in the database, with smaller bounds. */
function aWallet() {
  const texts: BalanceText[] = [];
  const results = new Map<string, CheckedText>();

  function stretchAround(at: number): Stretch {
    const times = texts.map((text) => text.at);
    const earlier = times.filter((time) => time < at).sort((a, b) => b - a);
    const later = times.filter((time) => time >= at).sort((a, b) => a - b);
    const from = boundOf(earlier, at);
    const to = boundOf(later, at);
    const isNear = (text: BalanceText) => text.at >= (from ?? -Infinity) && text.at <= (to ?? Infinity);
    const stored = texts.filter(isNear).map((text): StoredText => ({
      ...text,
      continuity: results.get(text.id)?.continuity ?? null,
      isDoubted: false,
    }));
    return { texts: stored, loose: [], isBegin: from === undefined, isEnd: to === undefined };
  }

  return {
    async receive(arrived: readonly BalanceText[]): Promise<void> {
      texts.push(...arrived);
      texts.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
      for (let isDone = false; !isDone;) {
        const unexamined = texts
          .filter(({ id }) => !results.has(id))
          .slice(0, PAGE)
          .map(({ id, at }) => ({ id, at: new Date(at), isDoubted: false }));
        const { checked } = await checkAround((at) => Promise.resolve(stretchAround(at.getTime())), unexamined);
        for (const each of checked) results.set(each.id, each);
        isDone = unexamined.length < PAGE;
      }
    },
    texts,
    results,
  };
}

/** The minute behind the next one and `TEXTS` more texts. */
function boundOf(times: readonly number[], at: number): number | undefined {
  const next = times.find((time) => time !== at);
  const behind = times.filter((time) => next !== undefined && Math.abs(time - at) > Math.abs(next - at));
  const last = behind[TEXTS - 1];
  return behind.find((time) => last !== undefined && Math.abs(time - at) > Math.abs(last - at));
}

it('texts in pages have the results that the whole chain gives them, in whichever rounds they arrive', async () => {
  await fc.assert(
    fc.asyncProperty(ROUNDS, async (rounds) => {
      const { receive, texts, results } = aWallet();
      for (const arrived of rounds) {
        await receive(arrived);
        const whole = checkChain(texts, [], { isBegin: true, isEnd: true });
        expect(results).toEqual(new Map(whole.map((each) => [each.id, each])));
      }
    }),
    { seed: 20261121, numRuns: 60, endOnFailure: true },
  );
}, 120_000);
