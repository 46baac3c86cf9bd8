import { hash } from 'node:crypto';
import type { SecretBox } from '@pay/runtime';
import { z } from 'zod';

/** A text as a phone forwarded it. */
export interface RawSms {
  readonly sender: string;
  readonly message: string;
}

/** Operations with the keys, which are not in the database. */
export interface SmsSecrets {
  /** Encrypts an SMS, bound to the row of its event. */
  seal(smsEventId: string, raw: RawSms): string;
  /** Throws if the ciphertext was altered, moved to another row, or encrypted with a key that is not configured. */
  open(smsEventId: string, sealed: string): RawSms;
  /** Keyed hash of a repeat key, as stored: without the key it cannot be tested against texts. */
  keyed(fingerprint: string): string;
}

export const TEXT_PURPOSE = 'sms-text';

const rawSchema = z.tuple([z.string(), z.string()]);

export function createSmsSecrets(texts: Pick<SecretBox, 'seal' | 'openOnce'>, fingerprintKey: Buffer): SmsSecrets {
  return {
    seal: (smsEventId, { sender, message }) => texts.seal(smsEventId, JSON.stringify([sender, message])),
    open(smsEventId, sealed) {
      const [sender, message] = rawSchema.parse(JSON.parse(texts.openOnce(smsEventId, sealed)));
      return { sender, message };
    },
    // Over the hash and not the text, so that fingerprints that were stored without a key could be keyed without their
    // texts. All are of one length, so that nothing can be appended: a key in front is as good as HMAC, at a quarter of
    // the time.
    keyed: (fingerprint) => hash('sha256', Buffer.concat([fingerprintKey, Buffer.from(fingerprint, 'hex')]), 'hex'),
  };
}
