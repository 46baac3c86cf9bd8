import type { Gap } from './balance-chain';
import { gapChanges, type KnownGap } from './gap-changes';

const gap = (from: number, to: number, amount = 500n): Gap => ({ amount, from, to });
const place = { id: 'reported', smsEventId: 'place', isOpen: true };
const suspected = { id: 'suspected', smsEventId: 'next', isOpen: false };

describe('a reported gap before a place that a text has left', () => {
  const reported: KnownGap = { ...place, ...gap(1, 2) };

  it('moves to the next text, whose own gap was not reported yet and is deleted', () => {
    const own: KnownGap = { ...suspected, ...gap(1, 3) };

    expect(gapChanges([own, reported], [{ id: 'next', gap: gap(1, 3) }])).toEqual({
      closed: [own],
      changed: [{ id: 'reported', smsEventId: 'next', gap: gap(1, 3) }],
      found: [],
    });
  });

  it('moves to the next text, whose own gap began at the text that has left', () => {
    const own: KnownGap = { ...suspected, ...gap(2, 3, -700n) };

    expect(gapChanges([own, reported], [{ id: 'next', gap: gap(1, 3, -200n) }])).toEqual({
      closed: [own],
      changed: [{ id: 'reported', smsEventId: 'next', gap: gap(1, 3, -200n) }],
      found: [],
    });
  });

  it('is explained if the gap of the next text was reported too', () => {
    const own: KnownGap = { ...suspected, isOpen: true, ...gap(1, 3) };

    expect(gapChanges([own, reported], [{ id: 'next', gap: gap(1, 3) }])).toEqual({
      closed: [reported],
      changed: [],
      found: [],
    });
  });

  it('moves to a text without a gap before one that was not reported does', () => {
    const early: KnownGap = { ...suspected, smsEventId: 'another place', ...gap(0, 1) };

    expect(gapChanges([early, reported], [{ id: 'next', gap: gap(0, 3) }])).toEqual({
      closed: [early],
      changed: [{ id: 'reported', smsEventId: 'next', gap: gap(0, 3) }],
      found: [],
    });
  });
});

describe('a reported gap that late texts explain', () => {
  it.each([
    ['contains its minute', gap(1, 1), gap(1, 2)],
    ['begins at its end', gap(1, 2), gap(2, 3)],
  ])('is explained although a gap that was not reported yet %s', (_case, known, next) => {
    const reported: KnownGap = { ...place, ...known };
    const own: KnownGap = { ...suspected, ...next };
    const checked = [
      { id: 'place', gap: null },
      { id: 'next', gap: next },
    ];

    expect(gapChanges([reported, own], checked)).toEqual({ closed: [reported], changed: [], found: [] });
  });

  it.each([
    ['begins at its end', gap(1, 2), gap(2, 3)],
    ['contains its minute', gap(1, 1), gap(1, 2)],
  ])('is explained although a gap that is found at the same time %s', (_case, known, next) => {
    const reported: KnownGap = { ...place, ...known };
    const checked = [
      { id: 'place', gap: null },
      { id: 'next', gap: next },
    ];

    expect(gapChanges([reported], checked)).toEqual({
      closed: [reported],
      changed: [],
      found: [{ smsEventId: 'next', gap: next }],
    });
  });
});
