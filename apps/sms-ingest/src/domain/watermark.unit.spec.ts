import { datedIdOf, watermarkStart } from './watermark';

const NOW = new Date('2026-11-21T10:00:00Z');

describe('the start of a watermark', () => {
  it.each([
    ['seven days ago unless asked', undefined, '2026-11-14'],
    ['the day that was asked for', '2026-11-20T23:59:59+06:00', '2026-11-20'],
    ['31 days ago at most', '2020-01-01T00:00:00Z', '2026-10-21'],
    ['a day to come, which has nothing', '2026-12-01T12:00:00Z', '2026-12-01'],
  ])('is %s', (_name, asked, day) => {
    const start = watermarkStart(asked === undefined ? undefined : new Date(asked), NOW);
    expect(start.toISOString()).toBe(`${day}T00:00:00.000Z`);
  });
});

it('a message belongs to its day of UTC, whatever the zone it is written in', () => {
  const early = datedIdOf({ clientMessageId: '7', receivedAt: '2026-11-21T05:59:59+06:00' });
  expect(early).toEqual({ day: '2026-11-20', id: '7' });
  expect(datedIdOf({ clientMessageId: '7', receivedAt: '2026-11-21T06:00:00+06:00' }).day).toBe('2026-11-21');
});
