import type { ProbedType } from '@pay/contracts';
import { advance, type BindingState } from './received-probes';

const TYPES = ['intent.created', 'intent.paid'];
const ROUND_MS = 15_000;
const START = Date.UTC(2026, 10, 22, 12);
const at = (round: number) => new Date(START + round * ROUND_MS);

/** The probe of a type in a round. Both types have the number of the round by default. */
function probe(type: string, round: number, numbers: Record<string, number> = {}): ProbedType {
  const all = { 'intent.created': round, 'intent.paid': round, ...numbers };
  const sentAt = at(round).toISOString();
  return {
    type,
    version: 1,
    publisher: 'intent-api',
    number: all[type as keyof typeof all],
    sentAt,
    publishedUntil: sentAt,
    round: all,
  };
}

const roundOf = (round: number) => TYPES.map((type) => probe(type, round));
const run = (probes: readonly ProbedType[], before = new Map<string, BindingState>()) =>
  advance(before, probes, TYPES, ROUND_MS);
const missing = (states: ReadonlyMap<string, BindingState>) =>
  [...states].flatMap(([type, { missingSince }]) => (missingSince ? [[type, missingSince]] : []));

describe('the state of a binding', () => {
  it('starts with the first probe of its publisher and without a replay', () => {
    const states = run([probe('intent.created', 700)]);

    expect(states.get('intent.created')).toMatchObject({ seen: 700, publishedUntil: at(700) });
    expect(states.get('intent.paid')).toMatchObject({ seen: 699, publishedUntil: at(700) });
    expect(missing(states)).toEqual([]);
  });

  it.each([
    ['each round arrives', [1, 2, 3, 4, 5]],
    ['a round is repeated', [1, 2, 2, 3, 3, 4]],
    ['two replicas handle two rounds in the wrong order', [1, 3, 2, 4, 5]],
  ])('is complete when %s', (_, rounds) => {
    const states = run(rounds.flatMap(roundOf));

    expect(missing(states)).toEqual([]);
    expect([...states.values()].map(({ seen, ahead }) => ({ seen, ahead }))).toEqual(
      TYPES.map(() => ({ seen: Math.max(...rounds), ahead: [] })),
    );
  });

  it('is missing when the probes of another type are two rounds ahead', () => {
    const seen = [...roundOf(1), ...roundOf(2), probe('intent.created', 3), probe('intent.created', 4)];
    expect(missing(run(seen))).toEqual([]);

    expect(missing(run([...seen, probe('intent.created', 5)]))).toEqual([['intent.paid', at(2)]]);
  });

  it('is missing when its probe numbers have a gap that no slow replica explains', () => {
    expect(missing(run([...roundOf(1), ...roundOf(9)]))).toEqual(TYPES.map((type) => [type, at(1)]));
    expect(missing(run([...roundOf(1), ...roundOf(3)]))).toEqual([]);
    expect(missing(run([1, 3, 4].flatMap(roundOf)))).toEqual(TYPES.map((type) => [type, at(1)]));
  });

  it('is missing since the last probe of the publisher if its type was never probed before', () => {
    const alone = (round: number, numbers: Record<string, number>) => {
      const one = probe('intent.created', round, numbers);
      return numbers['intent.paid'] === undefined ? { ...one, round: { 'intent.created': round } } : one;
    };
    const seen = [alone(1, {}), alone(2, {}), ...[1, 2, 3].map((paid) => alone(2 + paid, { 'intent.paid': paid }))];

    expect(missing(run(seen))).toEqual([['intent.paid', at(2)]]);
  });

  it('is not reported again for probes that were sent before its repair', () => {
    const lost = run([...roundOf(1), ...[2, 3, 4, 5].map((round) => probe('intent.created', round))]);
    expect(missing(lost)).toHaveLength(1);
    const repaired = new Map(lost);
    const state = lost.get('intent.paid') as BindingState;
    repaired.set('intent.paid', { ...state, missingSince: undefined, repairedAt: at(20) });

    const late = Array.from({ length: 15 }, (_, index) => probe('intent.created', 6 + index));
    const states = run([...late, ...roundOf(22), ...roundOf(23)], repaired);

    expect(missing(states).filter(([type]) => type === 'intent.paid')).toEqual([]);
    expect(
      missing(
        run(
          [24, 25, 26].map((round) => probe('intent.created', round)),
          states,
        ),
      ),
    ).toContainEqual(['intent.paid', at(23)]);
  });

  it('is missing again when it is lost right after its repair, before a probe arrives', () => {
    const lost = run([...roundOf(1), ...[2, 3, 4].map((round) => probe('intent.created', round))]);
    const state = lost.get('intent.paid') as BindingState;
    const repaired = new Map(lost).set('intent.paid', { ...state, missingSince: undefined, repairedAt: at(4.5) });

    expect(missing(run(roundOf(9), repaired)).map(([type]) => type)).toContain('intent.paid');
    expect(missing(run(roundOf(6), repaired)).map(([type]) => type)).not.toContain('intent.paid');
  });

  it('does not change for types that the queue does not receive', () => {
    expect([...advance(new Map(), roundOf(1), ['intent.paid'], ROUND_MS).keys()]).toEqual(['intent.paid']);
  });
});
