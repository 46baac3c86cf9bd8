import type { SmsReading } from '@pay/contracts';

export type ReadingField = keyof SmsReading;

export interface ReadingChange {
  readonly field: ReadingField;
  readonly before: string | null;
  readonly after: string | null;
}

/** In the order in which people compare two readings of a text. */
const FIELDS: readonly ReadingField[] = [
  ...(['status', 'failureReason', 'provider', 'kind', 'paymentMethod', 'direction'] as const),
  ...(['parsedAmount', 'parsedTrxId', 'parsedReference', 'parsedSenderMsisdn', 'parsedRecipientMsisdn'] as const),
  ...(['parsedFee', 'parsedCommission', 'parsedBalance', 'providerTime', 'receiverAccountId'] as const),
];

/** The fields that differ between two readings of a text. */
export function readingChanges(before: SmsReading, after: SmsReading): ReadingChange[] {
  return FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    before: before[field],
    after: after[field],
  }));
}
