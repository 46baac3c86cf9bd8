/** Values that the parser read from a text: their names in answers of sms-ingest, and in the public API. */
const PARSED_NAMES = {
  amount: 'parsedAmount',
  fee: 'parsedFee',
  commission: 'parsedCommission',
  balance: 'parsedBalance',
  trxId: 'parsedTrxId',
  reference: 'parsedReference',
  senderMsisdn: 'parsedSenderMsisdn',
  recipientMsisdn: 'parsedRecipientMsisdn',
} as const;
type Names = typeof PARSED_NAMES;

type WithParsedNames<Values> = {
  [Name in keyof Values as Name extends keyof Names ? Names[Name] : Name]: Values[Name];
};

/** The same values under the names of the public API, in the same order. */
export function withParsedNames<Values extends object>(values: Values): WithParsedNames<Values> {
  const names: Readonly<Record<string, string>> = PARSED_NAMES;
  const renamed = Object.entries(values).map(([name, value]) => [names[name] ?? name, value as unknown]);
  return Object.fromEntries(renamed) as WithParsedNames<Values>;
}
