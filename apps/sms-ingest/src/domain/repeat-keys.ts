import { SIMULATOR_DEVICE_ID, type Environment } from '@pay/contracts';

export interface RepeatFacts {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly deviceId: string;
  readonly receiverAccountId: string | null;
  readonly sender: string;
  readonly message: string;
  readonly receivedAt: Date;
  readonly clientMessageId: string | null;
}

/**
 * A transaction id after its label, also where line breaks were lost. Example: "TrxID BLU1H6X87P", "TxnID:7200XCJB".
 */
const TRX_ID = /T(?:rx|xn|rnx) ?ID:?\s?[0-9A-Z]{6}/i;

/**
 * The keys that identify a repeat, each as a text to be hashed; one common key is enough. Keys are device, client
 * message id and text; with a TrxID also tenant, account, sender and text; without one also device, time of receipt and
 * text.
 */
export function repeatKeys(sms: RepeatFacts): readonly string[] {
  // Some transports drop line breaks, so all white space is ignored.
  const text = sms.message.replace(/\s+/g, '');
  const byContent = TRX_ID.test(sms.message)
    ? key(
        'trx',
        sms.merchantId,
        sms.environment,
        // Phones without an assigned wallet may receive the same text.
        sms.receiverAccountId ?? 'unassigned',
        sms.sender.trim().toLowerCase(),
        text,
      )
    : key('time', ...deviceOf(sms), sms.receivedAt.toISOString(), text);
  if (sms.clientMessageId === null) return [byContent];
  return [key('client', ...deviceOf(sms), sms.clientMessageId, text), byContent];
}

/** A phone belongs to one tenant; the simulator is shared by all. */
function deviceOf({ deviceId, merchantId, environment }: RepeatFacts): readonly string[] {
  return deviceId === SIMULATOR_DEVICE_ID ? [deviceId, merchantId, environment] : [deviceId];
}

/** JSON separates the parts unambiguously. */
function key(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
