import { missingSentence, type MissingMoney } from './missing-sentence';

const money: MissingMoney = {
  direction: 'IN',
  amount: 50_000n,
  msisdn: '01700000001',
  isExplained: false,
  from: new Date('2026-11-21T04:02:00Z'),
  to: new Date('2026-11-21T04:09:00Z'),
};

it.each([
  ['money in', {}, 'Tk 500 reached 01700000001 between 10:02 and 10:09 and no SMS came'],
  ['money out', { direction: 'OUT' }, 'Tk 500 left 01700000001 between 10:02 and 10:09 and no SMS came'],
  [
    'a larger sum with poisha',
    { amount: 123_456_789n },
    'Tk 1,234,567.89 reached 01700000001 between 10:02 and 10:09 and no SMS came',
  ],
  ['one minute', { to: money.from }, 'Tk 500 reached 01700000001 at 10:02 and no SMS came'],
  [
    'a night',
    { from: new Date('2026-11-21T17:58:00Z'), to: new Date('2026-11-21T18:03:00Z') },
    'Tk 500 reached 01700000001 between 23:58 on 21/11/2026 and 00:03 on 22/11/2026 and no SMS came',
  ],
  [
    'an explained gap',
    { isExplained: true },
    'Tk 500 reached 01700000001 between 10:02 and 10:09 and its SMS came late',
  ],
] as const)('describes %s in the time of Asia/Dhaka', (_, change, sentence) => {
  expect(missingSentence({ ...money, ...change })).toBe(sentence);
});
