import type { DailyClose } from '@pay/contracts';
import { balanceLines, daysUntil } from './balances';

const closeOf = (date: string, balances: Readonly<Record<string, string | null>>) =>
  ({
    date,
    accounts: Object.entries(balances).map(([receiverAccountId, closingBalance]) => ({
      ...{ receiverAccountId, closingBalance, receiverMsisdn: `017${receiverAccountId}` },
    })),
  }) as unknown as DailyClose;

it('lists days up to a day, across the end of a month', () => {
  expect(daysUntil('2026-11-02', 3)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
});

it('has one balance per day and account, null where none is known or the day is not loaded', () => {
  const days = daysUntil('2026-11-03', 3);
  const closes = [
    closeOf('2026-11-03', { a: '12.50', b: null }),
    undefined,
    closeOf('2026-11-01', { a: '10', c: '5' }),
  ];

  expect(balanceLines(days, closes)).toEqual([
    { receiverAccountId: 'a', receiverMsisdn: '017a', balances: ['10', null, '12.50'] },
    { receiverAccountId: 'c', receiverMsisdn: '017c', balances: ['5', null, null] },
  ]);
});
