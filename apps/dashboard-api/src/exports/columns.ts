import type { DeliveryResponse, ExceptionResponse, InternalSmsSummary, PaymentSummary } from '@pay/contracts';
import type { Cell } from '../domain/csv';
import type { Columns } from './stream-csv';

const text = (value: string | null | undefined): Cell => ({ text: value ?? null });
const sum = (value: string | number | null): Cell => ({ number: value });

export const PAYMENT_COLUMNS: Columns<PaymentSummary> = [
  ['id', ({ id }) => text(id)],
  ['created_at', ({ createdAt }) => text(createdAt)],
  ['status', ({ status }) => text(status)],
  ['amount', ({ amount }) => sum(amount)],
  ['currency', ({ currency }) => text(currency)],
  ['reference', ({ customerReference }) => text(customerReference)],
  ['merchant_reference', ({ merchantReference }) => text(merchantReference)],
  ['payment_method', ({ paymentMethod }) => text(paymentMethod)],
  ['receiver_msisdn', ({ receiverMsisdn }) => text(receiverMsisdn)],
  ['expires_at', ({ expiresAt }) => text(expiresAt)],
  ['paid_at', ({ paidAt }) => text(paidAt)],
];

export const SMS_EVENT_COLUMNS: Columns<InternalSmsSummary> = [
  ['id', ({ id }) => text(id)],
  ['ingested_at', ({ ingestedAt }) => text(ingestedAt)],
  ['received_at', ({ receivedAt }) => text(receivedAt)],
  ['status', ({ status }) => text(status)],
  ['match_status', ({ matchStatus }) => text(matchStatus)],
  ['reason', ({ failureReason }) => text(failureReason)],
  ['sender', ({ sender }) => text(sender)],
  ['provider', ({ provider }) => text(provider)],
  ['kind', ({ kind }) => text(kind)],
  ['direction', ({ direction }) => text(direction)],
  ['payment_method', ({ paymentMethod }) => text(paymentMethod)],
  ['amount', ({ amount }) => sum(amount)],
  ['trx_id', ({ trxId }) => text(trxId)],
  ['reference', ({ reference }) => text(reference)],
  ['sender_msisdn', ({ senderMsisdn }) => text(senderMsisdn)],
  ['receiver_msisdn', ({ receiverMsisdn }) => text(receiverMsisdn)],
  ['payment_intent_id', ({ paymentIntentId }) => text(paymentIntentId)],
  ['device_id', ({ deviceId }) => text(deviceId)],
];

export const DELIVERY_COLUMNS: Columns<DeliveryResponse> = [
  ['id', ({ id }) => text(id)],
  ['created_at', ({ createdAt }) => text(createdAt)],
  ['event', ({ eventType }) => text(eventType)],
  ['status', ({ status }) => text(status)],
  ['attempts', ({ attempt }) => sum(attempt)],
  ['status_code', ({ statusCode }) => sum(statusCode)],
  ['endpoint_id', ({ endpointId }) => text(endpointId)],
  ['payment_intent_id', ({ paymentIntentId }) => text(paymentIntentId)],
  ['delivered_at', ({ deliveredAt }) => text(deliveredAt)],
];

export const EXCEPTION_COLUMNS: Columns<ExceptionResponse> = [
  ['id', ({ id }) => text(id)],
  ['created_at', ({ createdAt }) => text(createdAt)],
  ['status', ({ status }) => text(status)],
  ['kind', ({ kind }) => text(kind)],
  ['reason', ({ reason }) => text(reason)],
  ['match_status', ({ matchStatus }) => text(matchStatus)],
  ['expected_amount', ({ expectedAmount }) => sum(expectedAmount)],
  ['received_amount', ({ receivedAmount }) => sum(receivedAmount)],
  ['payment_method', ({ money }) => text(money?.paymentMethod)],
  ['trx_id', ({ money }) => text(money?.trxId)],
  ['reference', ({ money }) => text(money?.reference)],
  ['payer_msisdn', ({ money }) => text(money?.payerMsisdn)],
  ['receiver_msisdn', ({ money }) => text(money?.receiverMsisdn)],
  ['payment_intent_id', ({ paymentIntentId }) => text(paymentIntentId)],
  ['intent_status', ({ intentStatus }) => text(intentStatus)],
  ['sms_event_id', ({ smsEventId }) => text(smsEventId)],
  ['assignee_id', ({ assigneeId }) => text(assigneeId)],
  ['resolved_by', ({ resolvedBy }) => text(resolvedBy)],
  ['resolved_at', ({ resolvedAt }) => text(resolvedAt)],
  ['resolution_note', ({ resolutionNote }) => text(resolutionNote)],
];
