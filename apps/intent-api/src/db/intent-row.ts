import { formatAmount, intentSnapshotSchema, intentStatusSchema, paymentMethodSchema } from '@pay/contracts';
import type { IntentSnapshot, IntentStatus, PaymentMethod } from '@pay/contracts';
import type { StoredIntent } from '../domain/stored-intent';

const OUTER = [
  'merchantId',
  'environment',
  'sequence',
  'decisionSequence',
  'decisionEpoch',
  'decisionHash',
  'paidTrxId',
] as const;
const FIELDS = Object.keys(intentSnapshotSchema.shape) as (keyof IntentSnapshot)[];

export const intentColumnsOf = (table: string) =>
  [...OUTER, ...FIELDS]
    .map((field) => `${table}.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`)
    .join(', ');
export const INTENT_COLUMNS = intentColumnsOf('payment_intents');

export type IntentRow = Omit<StoredIntent, 'intent'> & {
  readonly [Field in keyof Required<IntentSnapshot>]: Field extends `${string}At` ? Date | null : IntentSnapshot[Field];
};

export function storedIntent(row: IntentRow): StoredIntent {
  const { merchantId, environment, sequence, decisionSequence, decisionEpoch, decisionHash, paidTrxId } = row;
  const values: Record<string, unknown> = {};
  for (const field of FIELDS) values[field] = row[field] instanceof Date ? row[field].toISOString() : row[field];
  const intent = {
    ...(values as IntentSnapshot),
    amount: formatAmount(BigInt(row.amount)),
    status: status(row.status),
    paymentMethod: paymentMethod(row.paymentMethod),
    chosenPaymentMethod: paymentMethod(row.chosenPaymentMethod ?? null),
  };
  const position = { sequence, decisionSequence, decisionEpoch, decisionHash };
  return { merchantId, environment, ...position, paidTrxId: paidTrxId ?? null, intent };
}

const STATUSES: ReadonlySet<string> = new Set(intentStatusSchema.options);
const METHODS: ReadonlySet<string> = new Set(paymentMethodSchema.options);

// Not a schema, because it runs for every row of a page.
function status(text: string): IntentStatus {
  if (!STATUSES.has(text)) throw new TypeError('an intent has an unknown status');
  return text as IntentStatus;
}

function paymentMethod(text: string | null): PaymentMethod | null {
  if (text !== null && !METHODS.has(text)) throw new TypeError('an intent has an unknown payment method');
  return text as PaymentMethod | null;
}
