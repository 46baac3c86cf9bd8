import type { SmsReading } from '@pay/contracts';
import { readingChanges } from './reading-changes';

const UNREAD: SmsReading = {
  status: 'UNPARSED',
  failureReason: 'parser_error',
  provider: 'BKASH',
  kind: null,
  direction: null,
  paymentMethod: null,
  amount: null,
  fee: null,
  commission: null,
  balance: null,
  trxId: null,
  reference: null,
  senderMsisdn: null,
  recipientMsisdn: null,
  providerTime: null,
  receiverAccountId: null,
};

it('lists the fields that differ between two readings, the status first', () => {
  const after: SmsReading = { ...UNREAD, status: 'PARSED', failureReason: null, amount: '500', trxId: 'DKL4TEA001' };

  expect(readingChanges(UNREAD, after)).toEqual([
    { field: 'status', before: 'UNPARSED', after: 'PARSED' },
    { field: 'failureReason', before: 'parser_error', after: null },
    { field: 'amount', before: null, after: '500' },
    { field: 'trxId', before: null, after: 'DKL4TEA001' },
  ]);
});

it('lists nothing for two equal readings, and compares every field', () => {
  expect(readingChanges(UNREAD, { ...UNREAD })).toEqual([]);
  const other = Object.fromEntries(Object.keys(UNREAD).map((field) => [field, 'x'])) as unknown as SmsReading;
  expect(readingChanges(UNREAD, other)).toHaveLength(Object.keys(UNREAD).length);
});
