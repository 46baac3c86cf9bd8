import {
  formatAmount,
  internalSmsReadingSchema,
  type InternalSmsReading,
  type ReparseReport,
  type Tenant,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { announceSms } from '../intake/announce-sms';
import { arrive, originOf, type ArriveDeps, type Origin } from '../intake/arrive-sms';
import { findByFingerprint } from '../intake/sms-fingerprint-repository';
import { readColumns, saysTheSame, type ReadColumns, type UnparsedSms } from './unparsed-sms-repository';
import type { ArrivedSms } from '../domain/arrived-sms';
import { NOTHING, type Skipped } from '../domain/reparse-report';
import type { SmsSecrets } from '../intake/sms-secrets';

export interface RereadSmsDeps extends Pick<ArriveDeps, 'senderIds' | 'readers'> {
  readonly directory: Pick<Directory, 'devices' | 'merchant' | 'receiverAccounts'>;
  readonly secrets: Pick<SmsSecrets, 'open' | 'keyed'>;
  readonly log: Logger;
}

/** A text with a changed result. */
export interface Change {
  readonly was: UnparsedSms;
  readonly sms: ArrivedSms;
  readonly fingerprints: readonly string[];
}

export interface Reread {
  readonly report: ReparseReport;
  readonly changes: readonly Change[];
  readonly last: string | undefined;
}

/** The current results of the texts, and the changes. */
export async function reread(
  deps: RereadSmsDeps,
  db: Queryable,
  tenant: Tenant,
  page: readonly UnparsedSms[],
): Promise<Reread> {
  const { directory, secrets } = deps;
  const devices = new Map((await directory.devices(tenant)).map((device) => [device.id, device]));
  const skipped = { ...NOTHING.skipped };
  const changes: Change[] = [];
  for (const was of page) {
    const device = devices.get(was.deviceId);
    const sms =
      device === undefined ? 'unknownDevice' : readAgain(deps, was, await originOf(deps, device, was.authenticity));
    if (typeof sms === 'string') skipped[sms] += 1;
    else if (!saysTheSame(was.columns, readColumns(sms)))
      changes.push({ was, sms, fingerprints: sms.fingerprints.map((fingerprint) => secrets.keyed(fingerprint)) });
  }
  const fresh = await withoutRepeats(db, changes);
  skipped.repeat = changes.length - fresh.length;
  const lost = Object.values(skipped).reduce((one, other) => one + other, 0);
  const report: ReparseReport = {
    ...NOTHING,
    examined: page.length,
    changed: fresh.length,
    unchanged: page.length - fresh.length - lost,
    skipped,
    changes: fresh.map(({ was, sms }) => ({
      id: was.id,
      receivedAt: was.receivedAt.toISOString(),
      before: shown(was.columns),
      after: shown(readColumns(sms)),
    })),
  };
  return { report, changes: fresh, last: page.at(-1)?.id };
}

function readAgain(
  { senderIds, readers, secrets, log }: RereadSmsDeps,
  was: UnparsedSms,
  origin: Origin,
): ArrivedSms | Skipped {
  const { id, sealedText, simSlot, statedMsisdn, clientMessageId, receivedAt, ingestedAt, announcedSequence } = was;
  if (sealedText === null) return 'textDeleted';
  try {
    const given = {
      ...secrets.open(id, sealedText),
      simSlot,
      receiverMsisdn: statedMsisdn,
      clientMessageId,
      receivedAt: receivedAt.toISOString(),
    };
    const sms = arrive({ senderIds, readers, newId: () => id, now: () => ingestedAt }, origin, given);
    // A result that cannot be published must not be stored.
    announceSms(sms, { ingestedAt, at: ingestedAt, sequence: announcedSequence + 1 });
    return sms;
  } catch (error) {
    log.error({ smsEventId: id, err: error }, 'sms.not_reparsed');
    return 'failed';
  }
}

/** The same SMS may have been received and parsed again since; that one is the payment. */
async function withoutRepeats(db: Queryable, changes: readonly Change[]): Promise<Change[]> {
  if (changes.length === 0) return [];
  const known = await findByFingerprint(
    db,
    changes.flatMap(({ fingerprints }) => fingerprints),
  );
  const owners = new Map([...known].map(([fingerprint, { id }]) => [fingerprint, id]));
  return changes.filter(({ was, fingerprints }) => {
    if (fingerprints.some((fingerprint) => (owners.get(fingerprint) ?? was.id) !== was.id)) return false;
    for (const fingerprint of fingerprints) owners.set(fingerprint, was.id);
    return true;
  });
}

/** The current result of a text. */
export function readingOf(columns: ReadColumns): InternalSmsReading {
  const amount = (poisha: unknown) => (typeof poisha === 'string' ? formatAmount(BigInt(poisha)) : null);
  const time = columns.provider_time;
  return internalSmsReadingSchema.parse({
    status: columns.status,
    failureReason: columns.failure_reason ?? null,
    provider: columns.provider ?? null,
    kind: columns.kind ?? null,
    direction: columns.direction ?? null,
    paymentMethod: columns.payment_method ?? null,
    amount: amount(columns.parsed_amount),
    fee: amount(columns.parsed_fee),
    commission: amount(columns.parsed_commission),
    balance: amount(columns.parsed_balance),
    trxId: columns.parsed_trx_id ?? null,
    reference: columns.parsed_reference ?? null,
    senderMsisdn: columns.parsed_sender_msisdn ?? null,
    recipientMsisdn: columns.parsed_recipient_msisdn ?? null,
    providerTime: time instanceof Date ? time.toISOString() : null,
    receiverAccountId: columns.receiver_account_id ?? null,
  });
}

function shown(columns: ReadColumns): ReparseReport['changes'][number]['before'] {
  const { status, failureReason: reason, kind, paymentMethod, amount, receiverAccountId } = readingOf(columns);
  return { status, reason, kind, paymentMethod, amount, receiverAccountId };
}
