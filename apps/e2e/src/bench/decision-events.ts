import { newTrxId } from '../wallet-texts';
import { newId } from '../phone/new-id';

/** A merchant with one wallet. Only the reconciler of the benchmark knows it. */
export interface Shop {
  readonly merchantId: string;
  readonly environment: 'LIVE';
  readonly walletId: string;
}

export interface QueuedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

export interface Payment {
  readonly intentId: string;
  readonly created: QueuedEvent;
  readonly sms: QueuedEvent;
}

const METHOD = 'BKASH_SEND_MONEY';
const MSISDN = '01700000900';
const OPEN_MS = 3_600_000;

export function newShop(): Shop {
  return { merchantId: newId(), environment: 'LIVE', walletId: newId() };
}

/** Written by hand, so that it does not depend on the code under test. */
export function factsOf({ merchantId, environment, walletId }: Shop): QueuedEvent[] {
  const fact = { version: 1, deleted: false, isActive: true };
  const shop = { ...fact, id: merchantId, name: 'Boi Bazar', enabledMethods: [METHOD] };
  const wallet = { ...fact, id: walletId, merchantId, environment, paymentMethod: METHOD, msisdn: MSISDN };
  return [
    event('merchant.changed', { merchantId, environment: null, aggregateId: merchantId, data: shop }),
    event('receiver_account.changed', { merchantId, environment, aggregateId: walletId, data: wallet }),
  ];
}

/** An intent and the SMS with its reference, which cause one decision. */
export function newPayment({ merchantId, environment, walletId }: Shop): Payment {
  const [intentId, smsEventId] = [newId(), newId()];
  const now = new Date().toISOString();
  const before = new Date(Date.now() - 60_000).toISOString();
  const reference = intentId.replaceAll('-', '').slice(-14).toUpperCase();
  const shown = { receiverAccountId: walletId, paymentMethod: METHOD, receiverMsisdn: MSISDN };
  const intent = {
    id: intentId,
    amount: '500',
    currency: 'BDT',
    status: 'PENDING',
    customerReference: reference,
    merchantReference: 'bench',
    ...shown,
    shownReceivers: [shown],
    methodFixed: true,
    expectedTrxId: null,
    expectedSenderMsisdn: null,
    customerId: null,
    language: null,
    metadata: { cart: '7' },
    successUrl: null,
    failedUrl: null,
    cancelUrl: null,
    expiredUrl: null,
    createdAt: before,
    paidAt: null,
    expiresAt: new Date(Date.now() + OPEN_MS).toISOString(),
  };
  const sms = {
    smsEventId,
    deviceId: walletId,
    receiverAccountId: walletId,
    receiverMsisdn: MSISDN,
    simSlot: 1,
    sender: 'bKash',
    receivedAt: now,
    ingestedAt: now,
    parserVersion: '1',
    provider: 'BKASH',
    kind: 'SEND_MONEY_RECEIVED',
    direction: 'IN',
    paymentMethod: METHOD,
    amount: '500',
    fee: '0',
    balance: '8400.25',
    trxId: newTrxId(new Date()),
    reference,
    senderMsisdn: '01812345678',
    providerTime: now,
  };
  return {
    intentId,
    created: event('intent.created', { merchantId, environment, aggregateId: intentId, data: { intent } }),
    sms: event('sms.parsed', { merchantId, environment, aggregateId: smsEventId, data: sms }),
  };
}

interface Envelope {
  readonly merchantId: string;
  readonly environment: string | null;
  readonly aggregateId: string;
  readonly data: unknown;
}

function event(type: string, envelope: Envelope): QueuedEvent {
  const id = newId();
  const common = { id, type, version: 1, occurredAt: new Date().toISOString(), sequence: 1 };
  return { id, type, body: JSON.stringify({ ...common, ...envelope }) };
}
