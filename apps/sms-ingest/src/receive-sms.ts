import { hash } from 'node:crypto';
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
import { isBadValue, isConnectionLoss } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import type { Admission } from './admission';
import { balanceChainId } from './db/balance-chain-id';
import { ZodError } from 'zod';
import type { ArrivedSms } from './domain/arrived-sms';
import { unreadable, type Readers, type SenderIds } from './domain/parse-sms';
import { readArrival } from './domain/read-arrival';
import { repeatKeys } from './domain/repeat-keys';
import type { NoteSeen } from './note-devices-seen';
import type { DeviceRepeats } from './note-repeats';
import type { SmsMetrics } from './sms-metrics';

export interface ReceiveSmsDeps {
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly admit: Admission['admit'];
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

/** Takes in one SMS from a phone. Throws BUSY, with nothing stored, while too much is on the way. */
export async function receiveSms(deps: ReceiveSmsDeps, device: DeviceFact, sms: IncomingSms): Promise<SmsAccepted> {
  const startedAt = performance.now();
  deps.noteSeen(device, { by: 'sms' });
  const release = deps.admit(device, 1);
  try {
    const { accepted, arrived, outcome } = await takeIn(deps, await originOf(deps, device), sms);
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
 * Takes in many, each on its own: the answers stand in the order of the messages, and a bad one spoils no other. Throws BUSY before anything
 * is stored, and when the database is away: then nobody knows what was stored, and sending all of them again does no harm.
 */
export async function receiveSmsBatch(
  deps: ReceiveSmsDeps,
  device: DeviceFact,
  messages: readonly unknown[],
): Promise<(SmsAccepted | SmsRefused)[]> {
  const startedAt = performance.now();
  deps.noteSeen(device, { by: 'sms' });
  const release = deps.admit(device, messages.length);
  try {
    const origin = await originOf(deps, device);
    const counts = { PARSED: 0, UNPARSED: 0, REPEAT: 0, refused: 0 };
    const results = await Promise.all(
      messages.map(async (message) => {
        const taken = await takeInOneOfMany(deps, origin, message);
        counts['error' in taken ? 'refused' : taken.outcome] += 1;
        return 'error' in taken ? taken : taken.accepted;
      }),
    );
    const { PARSED: parsed, UNPARSED: unparsed, REPEAT: repeats, refused } = counts;
    // One line: at 500 messages in a request their lines would cost more than storing them.
    deps.log.info({ ...lineOf(device, startedAt), parsed, unparsed, repeats, refused }, 'sms.batch_received');
    return results;
  } finally {
    release();
  }
}

async function takeInOneOfMany(deps: ReceiveSmsDeps, origin: Origin, message: unknown): Promise<Taken | SmsRefused> {
  const incoming = incomingSmsSchema.safeParse(message);
  if (!incoming.success) {
    return refuse(deps, 'INVALID_MESSAGE', sentencesOf(incoming.error.issues, message, 'message').join('; '));
  }
  try {
    return await takeIn(deps, origin, incoming.data);
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

/** What is known of where a request's messages come from, once for all of them. */
interface Origin {
  readonly device: DeviceFact;
  readonly accounts: readonly ReceiverAccountFact[];
  readonly reviewsBalanceBreaks: boolean;
}

async function originOf({ directory }: ReceiveSmsDeps, device: DeviceFact): Promise<Origin> {
  const [accounts, merchant] = await Promise.all([
    directory.receiverAccounts(device),
    directory.merchant(device.merchantId),
  ]);
  return { device, accounts, reviewsBalanceBreaks: merchant?.evidenceRules?.reviewBalanceBreaks === true };
}

interface Taken {
  readonly accepted: SmsAccepted;
  readonly arrived: ArrivedSms;
  readonly outcome: 'PARSED' | 'UNPARSED' | 'REPEAT';
}

async function takeIn(deps: ReceiveSmsDeps, origin: Origin, sms: IncomingSms): Promise<Taken> {
  const arrived = arrive(deps, origin, sms);
  const accepted = await storeWhateverItSays(deps, arrived);
  const { deviceId, receivedAt, clientMessageId, simSlot, reading } = arrived;
  if (accepted.duplicate && clientMessageId !== null) {
    deps.noteRepeat({ deviceId, receivedAt, clientMessageId, simSlot });
  }
  const outcome = accepted.duplicate ? 'REPEAT' : reading.status;
  const provider = reading.provider ?? 'none';
  deps.metrics.received.inc({ provider, status: outcome, reason: reasonOf(reading) });
  return { accepted, arrived, outcome };
}

/** What was read may be something that no row holds and no event tells. That is the parser's fault; the text is kept, to be read again. */
async function storeWhateverItSays({ store, log }: ReceiveSmsDeps, arrived: ArrivedSms): Promise<SmsAccepted> {
  try {
    return await store(arrived);
  } catch (error) {
    const isOfTheReading = isBadValue(error) || error instanceof TypeError || error instanceof ZodError;
    if (!isOfTheReading || reasonOf(arrived.reading) === 'parser_error') throw error;
    log.error({ deviceId: arrived.deviceId, merchantId: arrived.merchantId, err: error }, 'sms.reading_not_stored');
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

/** Everything that can be known of an SMS before it is stored. */
function arrive(
  { senderIds, readers, newId }: ReceiveSmsDeps,
  { device, accounts, reviewsBalanceBreaks }: Origin,
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
    balanceChainId: account && balanceChainId(account),
    reviewsBalanceBreaks,
    fingerprints: repeatKeys(facts).map((key) => hash('sha256', key, 'hex')),
  };
}
