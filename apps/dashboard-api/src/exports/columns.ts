import type { DeliveryResponse, ExceptionResponse, InternalSmsSummary, PaymentSummary } from '@pay/contracts';
import type { Cell } from '../domain/csv';
import type { Columns } from './stream-csv';

const text = (value: string | null | undefined): Cell => ({ text: value ?? null });
const texts = columnsOf(text);
const numbers = columnsOf((number: string | number | null): Cell => ({ number }));

export const PAYMENT_COLUMNS: Columns<PaymentSummary> = [
  ...texts('id', 'createdAt', 'status'),
  ...numbers('amount'),
  ...texts('currency'),
  ['reference', ({ customerReference }) => text(customerReference)],
  ...texts('merchantReference', 'paymentMethod', 'receiverMsisdn', 'expiresAt', 'paidAt'),
];

export const SMS_EVENT_COLUMNS: Columns<InternalSmsSummary> = [
  ...texts('id', 'ingestedAt', 'receivedAt', 'status', 'matchStatus'),
  ['reason', ({ failureReason }) => text(failureReason)],
  ...texts('sender', 'provider', 'kind', 'direction', 'paymentMethod'),
  ...numbers('amount'),
  ...texts('trxId', 'reference', 'senderMsisdn', 'receiverMsisdn', 'paymentIntentId', 'deviceId'),
];

export const DELIVERY_COLUMNS: Columns<DeliveryResponse> = [
  ...texts('id', 'createdAt'),
  ['event', ({ eventType }) => text(eventType)],
  ...texts('status'),
  ['attempts', ({ attempt }) => ({ number: attempt })],
  ...numbers('statusCode'),
  ...texts('endpointId', 'paymentIntentId', 'deliveredAt'),
];

export const EXCEPTION_COLUMNS: Columns<ExceptionResponse> = [
  ...texts('id', 'createdAt', 'status', 'kind', 'reason', 'matchStatus'),
  ...numbers('expectedAmount', 'receivedAmount'),
  ['payment_method', ({ money }) => text(money?.paymentMethod)],
  ['trx_id', ({ money }) => text(money?.trxId)],
  ['reference', ({ money }) => text(money?.reference)],
  ['payer_msisdn', ({ money }) => text(money?.payerMsisdn)],
  ['receiver_msisdn', ({ money }) => text(money?.receiverMsisdn)],
  ...texts('paymentIntentId', 'intentStatus', 'smsEventId', 'assigneeId', 'resolvedBy', 'resolvedAt', 'resolutionNote'),
];

/** Columns with the names of fields in snake case: `created_at` of `createdAt`. */
function columnsOf<Value>(cell: (value: Value) => Cell) {
  return <Field extends string>(...fields: readonly Field[]): Columns<Readonly<Record<Field, Value>>> =>
    fields.map((field) => [field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), (row) => cell(row[field])]);
}
