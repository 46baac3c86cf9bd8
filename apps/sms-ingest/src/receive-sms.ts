import { createHash } from 'node:crypto';
import {
  incomingSmsSchema,
  normaliseMsisdn,
  type DeviceFact,
  type IncomingSms,
  type ReceiverAccountFact,
  type SmsAccepted,
  type SmsRefused,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { sentencesOf } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import type { ArrivedSms } from './domain/arrived-sms';
import type { Readers, SenderIds } from './domain/parse-sms';
import { readArrival } from './domain/read-arrival';
import { repeatKeys } from './domain/repeat-keys';
import type { NoteSeen } from './note-devices-seen';
import type { DeviceRepeats } from './note-repeats';
import type { SmsMetrics } from './sms-metrics';

export interface ReceiveSmsDeps {
  readonly directory: Pick<Directory, 'receiverAccounts'>;
  /** Resolves when the SMS is durable. */
  readonly store: (sms: ArrivedSms) => Promise<SmsAccepted>;
  readonly senderIds: SenderIds;
  readonly noteSeen: NoteSeen;
  readonly noteRepeat: DeviceRepeats['noteRepeat'];
  /** The parsers, when they are not the usual ones. */
  readonly readers?: Readers | undefined;
  readonly newId: () => string;
  readonly log: Logger;
  readonly metrics: SmsMetrics;
}

/** Takes in one SMS from a phone. */
export async function receiveSms(deps: ReceiveSmsDeps, device: DeviceFact, sms: IncomingSms): Promise<SmsAccepted> {
  deps.noteSeen(device, { by: 'sms' });
  return takeIn(deps, device, await deps.directory.receiverAccounts(device), sms);
}

/**
 * Takes in many, each on its own: the answers stand in the order of the messages, and a bad one spoils no other.
 * Throws only when the database is away. Then nobody knows what was stored, and sending all of them again does no harm.
 */
export async function receiveSmsBatch(
  deps: ReceiveSmsDeps,
  device: DeviceFact,
  messages: readonly unknown[],
): Promise<(SmsAccepted | SmsRefused)[]> {
  deps.noteSeen(device, { by: 'sms' });
  const accounts = await deps.directory.receiverAccounts(device);
  return Promise.all(
    messages.map(async (message) => {
      const incoming = incomingSmsSchema.safeParse(message);
      if (!incoming.success) {
        return refuse(deps, 'INVALID_MESSAGE', sentencesOf(incoming.error.issues, message, 'message').join('; '));
      }
      try {
        return await takeIn(deps, device, accounts, incoming.data);
      } catch (error) {
        if (isConnectionLoss(error)) throw error;
        deps.log.error({ deviceId: device.id, merchantId: device.merchantId, err: error }, 'sms.not_stored');
        return refuse(deps, 'INTERNAL_ERROR', 'The message could not be stored. Send it again.');
      }
    }),
  );
}

function refuse({ metrics }: ReceiveSmsDeps, code: SmsRefused['error']['code'], message: string): SmsRefused {
  metrics.refused.inc({ code });
  return { error: { code, message } };
}

async function takeIn(
  deps: ReceiveSmsDeps,
  device: DeviceFact,
  accounts: readonly ReceiverAccountFact[],
  sms: IncomingSms,
): Promise<SmsAccepted> {
  const startedAt = performance.now();
  const arrived = arrive(deps, device, accounts, sms);
  const accepted = await deps.store(arrived);
  const { receivedAt, clientMessageId, simSlot } = arrived;
  if (accepted.duplicate && clientMessageId !== null) {
    deps.noteRepeat({ deviceId: device.id, receivedAt, clientMessageId, simSlot });
  }

  const { reading } = arrived;
  const reason = reading.status === 'UNPARSED' ? reading.reason : 'none';
  const status = accepted.duplicate ? 'REPEAT' : reading.status;
  deps.metrics.received.inc({ provider: reading.provider ?? 'none', status, reason });
  deps.log.info(
    {
      smsEventId: accepted.id,
      merchantId: device.merchantId,
      environment: device.environment,
      deviceId: device.id,
      receiverAccountId: arrived.receiverAccountId,
      provider: reading.provider,
      outcome: status,
      reason,
      durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    },
    'sms.received',
  );
  return accepted;
}

/** Everything that can be known of an SMS before it is stored. */
function arrive(
  { senderIds, readers, newId }: ReceiveSmsDeps,
  device: DeviceFact,
  accounts: readonly ReceiverAccountFact[],
  sms: IncomingSms,
): ArrivedSms {
  const simSlot = sms.simSlot ?? null;
  const given = sms.receiverMsisdn ?? null;
  const receivedAt = new Date(sms.receivedAt);
  const text = { sender: sms.sender, message: sms.message, receivedAt, simSlot, receiverMsisdn: given };
  const { reading, account } = readArrival(text, device, accounts, senderIds, readers);
  const facts = {
    merchantId: device.merchantId,
    environment: device.environment,
    deviceId: device.id,
    receiverAccountId: account?.id ?? null,
    sender: sms.sender,
    message: sms.message,
    receivedAt,
    clientMessageId: sms.clientMessageId ?? null,
  };
  return {
    ...facts,
    id: newId(),
    receiverMsisdn: account?.msisdn ?? (given === null ? null : (normaliseMsisdn(given) ?? given)),
    simSlot,
    reading,
    fingerprints: repeatKeys(facts).map((key) => createHash('sha256').update(key).digest('hex')),
  };
}
