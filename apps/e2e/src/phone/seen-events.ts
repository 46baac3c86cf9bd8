import amqp from 'amqplib';
import { newId } from '../bench/new-id';
import type { Merchant, RunningSystem } from '../system';

/**
 * Tells checkout-api what sms-ingest tells of a phone that sends heartbeats: when it was last heard of. Resolves when the broker has it.
 * The events of a phone that is silent now are minutes old, which is too long to wait for.
 */
export async function tellLastSeen(
  { amqpUrl, amqpNamespace }: RunningSystem,
  { id: merchantId, sandbox: { deviceId } }: Merchant,
  seenAt: Date,
): Promise<void> {
  const at = seenAt.toISOString();
  const event = {
    ...{ id: newId(), type: 'device.seen', version: 1, occurredAt: at, environment: 'SANDBOX', merchantId },
    ...{ aggregateId: deviceId, sequence: 1, data: { deviceId, seenAt: at, sendsHeartbeat: true } },
  };
  const connection = await amqp.connect(amqpUrl, { noDelay: true });
  try {
    const channel = await connection.createConfirmChannel();
    const options = { persistent: true, messageId: event.id, type: event.type, contentType: 'application/json' };
    channel.sendToQueue(`${amqpNamespace}checkout-api.events`, Buffer.from(JSON.stringify(event)), options);
    await channel.waitForConfirms();
  } finally {
    await connection.close();
  }
}
