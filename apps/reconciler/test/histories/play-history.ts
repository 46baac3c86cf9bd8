import type { Database } from '@pay/persistence';
import type { SessionUnderTest } from '../session-under-test';
import { broken } from './invariants';
import { happen } from './model';
import { newModel, seenIn, type Model } from './model-state';
import { happeningGenerator } from './generate-happenings';
import type { Happening } from './facts';
import { openMerchant, type MerchantUnderTest } from './merchant-under-test';
import type { Step } from './steps';

/** Plays a history on the service and the model and compares both after each step. Returns the results of its texts. */
export async function playHistory(
  session: SessionUnderTest,
  replicas: readonly Database[],
  steps: readonly Step[],
): Promise<string[]> {
  const generator = happeningGenerator();
  const merchantUnderTest = openMerchant(session, replicas, generator.clock);
  let model = newModel();
  for (const [n, step] of steps.entries()) {
    const happenings = generator.happeningsOf(step);
    if (happenings.length > 1) model = await playTogether(merchantUnderTest, model, happenings, n);
    else for (const what of happenings) await playAlone(merchantUnderTest, model, what, n);
  }
  for (const [n, what] of generator.rest().entries()) await playAlone(merchantUnderTest, model, what, n);
  expect(await broken(session.db, merchantUnderTest.merchantId)).toEqual([]);
  return [...model.texts.values()].map(({ status, reason }) => `${status} ${reason}`);
}

async function playAlone(
  merchantUnderTest: MerchantUnderTest,
  model: Model,
  what: Happening,
  n: number,
): Promise<void> {
  const answer = happen(model, what);
  const real = { answer: await merchantUnderTest.play(what, n), ...(await merchantUnderTest.seen()) };
  expect(real).toEqual({ answer, ...seenIn(model) });
}

/** Concurrent transactions must be serializable in some order. */
async function playTogether(
  merchantUnderTest: MerchantUnderTest,
  model: Model,
  happenings: readonly Happening[],
  n: number,
): Promise<Model> {
  const answers = await Promise.all(happenings.map((what, k) => merchantUnderTest.play(what, n + k)));
  // A worker skips locked rows and finds them in the next round.
  const again = happenings.filter(isOfTheClock);
  for (const what of again) await merchantUnderTest.play(what, n);
  const real = { answers, ...(await merchantUnderTest.seen()) };
  const text = inOrder(real);

  let first: Record<string, unknown> | undefined;
  for (const order of orders(happenings.map((_, k) => k))) {
    for (const only of reached(model, again)) {
      const candidate = structuredClone(model);
      const published: string[] = [];
      for (const k of order) {
        const what = happenings[k];
        if (what !== undefined) published[k] = happen(candidate, what, isOfTheClock(what) ? only : undefined);
      }
      for (const what of again) happen(candidate, what);
      const expected = { answers: published, ...seenIn(candidate) };
      if (inOrder(expected) === text) return candidate;
      first ??= expected;
    }
  }
  // In no order; shown beside the first one.
  expect(real).toEqual(first);
  throw new Error('no order of the concurrent steps explains the result');
}

const isOfTheClock = ({ kind }: Happening) => kind === 'expire' || kind === 'look' || kind === 'windows';

/** Which of the open intents the clock may have reached the first time. */
function reached(model: Model, ofTheClock: readonly Happening[]): string[][] {
  if (ofTheClock.length === 0) return [[]];
  const open = [...model.intents.values()].filter(({ status }) => status === 'PENDING').map(({ id }) => id);
  return open.reduce<string[][]>((sets, id) => sets.flatMap((set) => [[...set, id], set]), [[]]);
}

function orders<T>(of: readonly T[]): T[][] {
  if (of.length < 2) return [[...of]];
  return of.flatMap((each, n) => orders(of.filter((_, k) => k !== n)).map((rest) => [each, ...rest]));
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
