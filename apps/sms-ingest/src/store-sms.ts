import { draft, type Messaging } from '@pay/messaging';
import type { SmsAccepted } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { enterIntake } from './db/intake-lock';
import { findByFingerprint, leadTo, storeSmsEvents, type KnownSms, type NewSms } from './db/sms-events';
import type { ArrivedSms } from './domain/arrived-sms';
import { announcementOf } from './domain/sms-announcement';
import { separateTwins } from './domain/twins';

export interface StoreSmsDeps {
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly now: () => Date;
}

/**
 * Stores a group of SMS with their fingerprints and announcements in the caller's transaction, and answers in the order they came.
 * One that was seen before changes nothing and is answered with the event it repeats, as that is now.
 */
export async function storeSms(
  deps: StoreSmsDeps,
  tx: Transaction,
  sms: readonly ArrivedSms[],
): Promise<SmsAccepted[]> {
  const { firsts, firstOf } = separateTwins(sms);
  await enterIntake(tx);
  const ingestedAt = deps.now();
  const won = await storeSmsEvents(tx, firsts, ingestedAt);
  const isNew = ({ fingerprints }: NewSms) => fingerprints.every((fingerprint) => won.has(fingerprint));

  const news = firsts.filter(isNew);
  if (news.length > 0) {
    await deps.messaging.publish(
      tx,
      news.map(({ message }) => announce(message, ingestedAt)),
    );
  }
  const repeats = firsts.filter((first) => !isNew(first));
  const repeated = repeats.length === 0 ? undefined : await findRepeated(tx, repeats, won);

  return sms.map((one, index) => {
    const first = firsts[firstOf[index] ?? -1];
    if (first === undefined) throw new Error('every message has a first');
    const known = repeated?.get(first.message.id);
    if (known !== undefined) return { ...known, duplicate: true };
    return { id: first.message.id, status: first.message.reading.status, duplicate: first.message.id !== one.id };
  });
}

/** By the id that a repeat would have had, the event it repeats. What it brought along that was new leads there from now on. */
async function findRepeated(
  tx: Transaction,
  repeats: readonly NewSms[],
  won: ReadonlySet<string>,
): Promise<Map<string, KnownSms>> {
  // A statement of its own: whoever was first has committed by now, after the snapshot of the insert that had to wait for them.
  const lost = repeats.flatMap(({ fingerprints }) => fingerprints.filter((fingerprint) => !won.has(fingerprint)));
  const owners = await findByFingerprint(tx, lost);
  const repeated = new Map<string, KnownSms>();
  const links: (readonly [string, string])[] = [];
  for (const { message, fingerprints } of repeats) {
    const owner = fingerprints.map((fingerprint) => owners.get(fingerprint)).find((known) => known !== undefined);
    if (owner === undefined) throw new Error('a known fingerprint leads to no event');
    repeated.set(message.id, owner);
    links.push(...fingerprints.filter((fingerprint) => won.has(fingerprint)).map((each) => [each, owner.id] as const));
  }
  if (links.length > 0) await leadTo(tx, links);
  return repeated;
}

function announce(sms: ArrivedSms, ingestedAt: Date) {
  const envelope = {
    environment: sms.environment,
    merchantId: sms.merchantId,
    aggregateId: sms.id,
    sequence: 1,
    occurredAt: ingestedAt.toISOString(),
  };
  const announcement = announcementOf(sms, ingestedAt);
  return announcement.type === 'sms.parsed'
    ? draft(announcement.type, { ...envelope, data: announcement.data })
    : draft(announcement.type, { ...envelope, data: announcement.data });
}
