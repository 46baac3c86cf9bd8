import {
  incomingSmsSchema,
  type Authenticity,
  type DeviceFact,
  type IncomingSms,
  type SmsAccepted,
  type SmsRefused,
} from '@pay/contracts';
import { sentencesOf } from '@pay/http';
import { isBadValue, isConnectionLoss } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { ZodError } from 'zod';
import type { Admission } from './admission';
import { arrive, originOf, type ArriveDeps, type Origin } from './arrive-sms';
import type { ArrivedSms } from '../domain/arrived-sms';
import { unreadable } from '../domain/parse-sms';
import type { NoteSeen } from '../devices/note-devices-seen';
import type { DeviceRepeats } from '../devices/note-repeats';
import type { SmsMetrics } from './sms-metrics';

export interface ReceiveSmsDeps extends ArriveDeps {
  readonly admit: Admission['admit'];
  /** Resolves when the SMS is durable. */
  readonly store: (sms: ArrivedSms) => Promise<SmsAccepted>;
  readonly noteSeen: NoteSeen;
  readonly noteRepeat: DeviceRepeats['noteRepeat'];
  readonly log: Logger;
  readonly metrics: SmsMetrics;
}

/** Stores one SMS of a phone. Throws BUSY without storing it while the intake is full. */
export async function receiveSms(
  deps: ReceiveSmsDeps,
  device: DeviceFact,
  sms: IncomingSms,
  authenticity: Authenticity = 'device_key',
): Promise<SmsAccepted> {
  const startedAt = performance.now();
  deps.noteSeen(device, { by: 'sms' });
  const release = deps.admit(device, 1);
  try {
    const { accepted, arrived, outcome } = await storeOne(deps, await originOf(deps, device, authenticity), sms);
    const { receiverAccountId, reading } = arrived;
    deps.log.info(
      {
        ...lineOf(device, startedAt),
        smsEventId: accepted.id,
        receiverAccountId,
        provider: reading.provider,
        outcome,
        reason: reasonOf(reading),
      },
      'sms.received',
    );
    return accepted;
  } finally {
    release();
  }
}

/**
 * Stores many SMS independently and returns results in their order. Throws BUSY before anything is stored, and throws
 * when the database is unavailable, when the outcome is unknown and all messages may be sent again.
 */
export async function receiveSmsBatch(
  deps: ReceiveSmsDeps,
  device: DeviceFact,
  messages: readonly unknown[],
  authenticity: Authenticity = 'device_key',
): Promise<(SmsAccepted | SmsRefused)[]> {
  const startedAt = performance.now();
  deps.noteSeen(device, { by: 'sms' });
  const release = deps.admit(device, messages.length);
  try {
    const origin = await originOf(deps, device, authenticity);
    const counts = { PARSED: 0, UNPARSED: 0, REPEAT: 0, refused: 0 };
    const results = await Promise.all(
      messages.map(async (message) => {
        const stored = await storeOneOfBatch(deps, origin, message);
        counts['error' in stored ? 'refused' : stored.outcome] += 1;
        return 'error' in stored ? stored : stored.accepted;
      }),
    );
    const { PARSED: parsed, UNPARSED: unparsed, REPEAT: repeats, refused } = counts;
    // One log line per request: 500 lines would cost more than storing the messages.
    deps.log.info({ ...lineOf(device, startedAt), parsed, unparsed, repeats, refused }, 'sms.batch_received');
    return results;
  } finally {
    release();
  }
}

async function storeOneOfBatch(
  deps: ReceiveSmsDeps,
  origin: Origin,
  message: unknown,
): Promise<StoredSms | SmsRefused> {
  const incoming = incomingSmsSchema.safeParse(message);
  if (!incoming.success) {
    return refuse(deps, 'INVALID_MESSAGE', sentencesOf(incoming.error.issues, message, 'message').join('; '));
  }
  try {
    return await storeOne(deps, origin, incoming.data);
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    const { id: deviceId, merchantId } = origin.device;
    deps.log.error({ deviceId, merchantId, err: error }, 'sms.not_stored');
    return refuse(deps, 'INTERNAL_ERROR', 'The message could not be stored. Send it again.');
  }
}

function refuse({ metrics }: ReceiveSmsDeps, code: SmsRefused['error']['code'], message: string): SmsRefused {
  metrics.refused.inc({ code });
  return { error: { code, message } };
}

interface StoredSms {
  readonly accepted: SmsAccepted;
  readonly arrived: ArrivedSms;
  readonly outcome: 'PARSED' | 'UNPARSED' | 'REPEAT';
}

async function storeOne(deps: ReceiveSmsDeps, origin: Origin, sms: IncomingSms): Promise<StoredSms> {
  const arrived = arrive(deps, origin, sms);
  const accepted = await storeOrStoreUnparsed(deps, arrived);
  const { deviceId, receivedAt, clientMessageId, simSlot, reading } = arrived;
  if (accepted.duplicate && clientMessageId !== null) {
    deps.noteRepeat({ deviceId, receivedAt, clientMessageId, simSlot });
  }
  const outcome = accepted.duplicate ? 'REPEAT' : reading.status;
  const provider = reading.provider ?? 'none';
  const { environment } = origin.device;
  deps.metrics.received.inc({ environment, provider, status: outcome, reason: reasonOf(reading) });
  return { accepted, arrived, outcome };
}

/**
 * A parser may return values that cannot be stored or published. The text is then stored as UNPARSED and can be
 * re-parsed.
 */
async function storeOrStoreUnparsed({ store, log }: ReceiveSmsDeps, arrived: ArrivedSms): Promise<SmsAccepted> {
  try {
    return await store(arrived);
  } catch (error) {
    const isOfTheReading = isBadValue(error) || error instanceof TypeError || error instanceof ZodError;
    if (!isOfTheReading || reasonOf(arrived.reading) === 'parser_error') throw error;
    log.error(
      { deviceId: arrived.deviceId, merchantId: arrived.merchantId, err: error },
      'sms.parsed_values_not_stored',
    );
    return store({ ...arrived, reading: unreadable(arrived.reading.provider) });
  }
}

function reasonOf(reading: ArrivedSms['reading']): string {
  return reading.status === 'UNPARSED' ? reading.reason : 'none';
}

function lineOf({ id, merchantId, environment }: DeviceFact, startedAt: number) {
  const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
  return { merchantId, environment, deviceId: id, durationMs };
}
