import amqp from 'amqplib';
import { signedHeaders } from '../signed-events';
import type { RunningSystem } from '../system';
import { newId } from '../phone/new-id';

export interface EventSource {
  /** Resolves when the broker has confirmed all events. */
  publish(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Publishes `intent.paid` of intents that do not exist to the queue of webhook-dispatcher. */
export async function openEventSource(system: RunningSystem, merchantId: string): Promise<EventSource> {
  const connection = await amqp.connect(system.amqpUrl, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  const queue = 'webhook-dispatcher.events';
  return {
    async publish(count) {
      for (let number = 0; number < count; number += 1) {
        const event = paid(merchantId);
        const body = Buffer.from(JSON.stringify(event));
        const headers = signedHeaders(system, queue, event.type, body);
        const kind = { messageId: event.id, type: event.type, contentType: 'application/json' };
        channel.sendToQueue(`${system.amqpNamespace}${queue}`, body, { persistent: true, ...kind, headers });
      }
      await channel.waitForConfirms();
    },
    async close() {
      await connection.close();
    },
  };
}

/** Written by hand, so that it does not depend on the code under test. */
function paid(merchantId: string) {
  const now = new Date().toISOString();
  const intentId = newId();
  return {
    id: newId(),
    type: 'intent.paid',
    version: 1,
    occurredAt: now,
    environment: 'SANDBOX',
    merchantId,
    aggregateId: intentId,
    sequence: 2,
    data: {
      intent: {
        id: intentId,
        amount: '500.00',
        currency: 'BDT',
        status: 'PAID',
        customerReference: 'BENCH-1',
        merchantReference: 'bench',
        paymentMethod: 'BKASH_SEND_MONEY',
        receiverMsisdn: '01700000001',
        receiverAccountId: null,
        shownReceivers: [],
        methodFixed: true,
        expectedTrxId: null,
        customerId: null,
        expectedSenderMsisdn: null,
        language: null,
        metadata: { cart: '7' },
        successUrl: null,
        failedUrl: null,
        cancelUrl: null,
        expiredUrl: null,
        createdAt: now,
        expiresAt: now,
        paidAt: now,
      },
      decision: {
        matchId: newId(),
        path: 'REFERENCE',
        reason: 'reference_match',
        decidedBy: 'system',
        smsEventId: null,
        trxId: 'DKL4A1B2C3',
        receivedAmount: '500.00',
      },
    },
  };
}
