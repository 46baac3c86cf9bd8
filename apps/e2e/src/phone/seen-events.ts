import amqp from 'amqplib';
import { newId } from './new-id';
import { signedHeaders } from '../signed-events';
import type { Merchant, RunningSystem } from '../system';

/**
 * Publishes the last contact of a phone to checkout-api, like sms-ingest, and waits for the confirm. Real events of a
 * silent phone would take minutes.
 */
export async function publishLastSeen(
  system: RunningSystem,
  { id: merchantId, sandbox: { deviceId } }: Merchant,
  seenAt: Date,
): Promise<void> {
  const at = seenAt.toISOString();
  const event = {
    id: newId(),
    type: 'device.seen',
    version: 1,
    occurredAt: at,
    environment: 'SANDBOX',
    merchantId,
    aggregateId: deviceId,
    sequence: 1,
    data: { deviceId, seenAt: at, sendsHeartbeat: true },
  };
  const connection = await amqp.connect(system.amqpUrl, { noDelay: true });
  try {
    const channel = await connection.createConfirmChannel();
    const queue = 'checkout-api.events';
    const body = Buffer.from(JSON.stringify(event));
    const headers = signedHeaders(system, queue, event.type, body);
    const options = {
      persistent: true,
      messageId: event.id,
      type: event.type,
      contentType: 'application/json',
      headers,
    };
    channel.sendToQueue(`${system.amqpNamespace}${queue}`, body, options);
    await channel.waitForConfirms();
  } finally {
    await connection.close();
  }
}
