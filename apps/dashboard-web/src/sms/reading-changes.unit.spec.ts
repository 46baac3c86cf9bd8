import type { SmsReading } from '@pay/contracts';
import { readingChanges } from './reading-changes';

const UNREAD: SmsReading = {
  status: 'UNPARSED',
  failureReason: 'parser_error',
  provider: 'BKASH',
  kind: null,
  direction: null,
  paymentMethod: null,
  parsedAmount: null,
  parsedFee: null,
  parsedCommission: null,
  parsedBalance: null,
  parsedTrxId: null,
  parsedReference: null,
  parsedSenderMsisdn: null,
  parsedRecipientMsisdn: null,
  providerTime: null,
  receiverAccountId: null,
};

it('lists the fields that differ between two readings, the status first', () => {
  const after: SmsReading = {
    ...UNREAD,
    status: 'PARSED',
    failureReason: null,
    parsedAmount: '500',
    parsedTrxId: 'DKL4TEA001',
  };

  expect(readingChanges(UNREAD, after)).toEqual([
    { field: 'status', before: 'UNPARSED', after: 'PARSED' },
    { field: 'failureReason', before: 'parser_error', after: null },
    { field: 'parsedAmount', before: null, after: '500' },
    { field: 'parsedTrxId', before: null, after: 'DKL4TEA001' },
  ]);
});

it('lists nothing for two equal readings, and compares every field', () => {
  expect(readingChanges(UNREAD, { ...UNREAD })).toEqual([]);
  const other = Object.fromEntries(Object.keys(UNREAD).map((field) => [field, 'x'])) as unknown as SmsReading;
  expect(readingChanges(UNREAD, other)).toHaveLength(Object.keys(UNREAD).length);
});
