import { balanceLines } from './balances';

const accountOf = (receiverAccountId: string, ...balances: readonly (string | null)[]) => ({
  receiverAccountId,
  receiverMsisdn: `017${receiverAccountId}`,
  paymentMethod: 'BKASH_PAYMENT' as const,
  days: balances.map((closingBalance, at) => ({ date: `2026-11-0${at + 1}`, closingBalance })),
});

it('has one balance per day and account, null where none is known, and no account without balances', () => {
  const accounts = [
    accountOf('a', null, '10', '12.50'),
    accountOf('b', null, null, null),
    accountOf('c', '5', '5', '0'),
  ];

  expect(balanceLines({ accounts })).toEqual({
    days: ['2026-11-01', '2026-11-02', '2026-11-03'],
    lines: [
      { receiverAccountId: 'a', receiverMsisdn: '017a', balances: [null, '10', '12.50'] },
      { receiverAccountId: 'c', receiverMsisdn: '017c', balances: ['5', '5', '0'] },
    ],
  });
});

it('has neither days nor lines for a merchant without accounts', () => {
  expect(balanceLines({ accounts: [] })).toEqual({ days: [], lines: [] });
});
