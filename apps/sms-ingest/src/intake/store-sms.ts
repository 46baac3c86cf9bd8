import type { Messaging } from '@pay/messaging';
import type { SmsAccepted } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { announceSms } from './announce-sms';
import { enterIntake } from '../db/intake-lock';
import { storeSmsEvents, type NewSms } from './sms-event-repository';
import { findByFingerprint, leadTo, type KnownSms } from './sms-fingerprint-repository';
import type { ArrivedSms } from '../domain/arrived-sms';
import { separateTwins, type Twins } from '../domain/twins';
import { balanceTextsOf, doubtBalances } from '../balances/note-balances';
import type { SmsSecrets } from './sms-secrets';

export interface StoreSmsDeps {
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly secrets: Pick<SmsSecrets, 'seal' | 'keyed'>;
  readonly now: () => Date;
}

/**
 * Stores a group of SMS with their fingerprints and events in the caller's transaction and returns results in order. A
 * repeat changes nothing and returns the current state of the original event.
 */
export async function storeSms(
  deps: StoreSmsDeps,
  tx: Transaction,
  sms: readonly ArrivedSms[],
): Promise<SmsAccepted[]> {
  // Before any other statement: a transaction that hangs in a statement without the lock is taken for none.
  enterIntake(tx);
  const { firsts: arrived, firstOf } = separateTwins(await doubtBalances(tx, sms));
  const firsts = arrived.map((first) => encryptSms(deps.secrets, first));
  const balanceTexts = balanceTextsOf(firsts.map(({ message }) => message));
  const won = await storeSmsEvents(tx, firsts, balanceTexts);
  const isNew = ({ fingerprints }: NewSms) => fingerprints.every((fingerprint) => won.has(fingerprint));

  const newMessages = firsts.filter(isNew);
  if (newMessages.length > 0) {
    const at = deps.now();
    await deps.messaging.publish(
      tx,
      newMessages.map(({ message }) => announceSms(message, { ingestedAt: message.ingestedAt, at, sequence: 1 })),
    );
  }
  const repeats = firsts.filter((first) => !isNew(first));
  const repeated = repeats.length === 0 ? undefined : await findRepeated(tx, repeats, won);

  return sms.map((one, index) => {
    const first = firsts[firstOf[index] ?? -1];
    if (first === undefined) throw new Error('invariant: each message belongs to a group leader');
    const known = repeated?.get(first.message.id);
    if (known !== undefined) return { ...known, duplicate: true };
    return { id: first.message.id, status: first.message.reading.status, duplicate: first.message.id !== one.id };
  });
}

/** Encrypts the text and keys the fingerprints. */
function encryptSms(
  { seal, keyed }: StoreSmsDeps['secrets'],
  { message, fingerprints }: Twins<ArrivedSms>['firsts'][number],
): NewSms {
  return { message, sealedText: seal(message.id, message), fingerprints: fingerprints.map(keyed) };
}

/**
 * The original event of each repeat, by the repeat's provisional id. New fingerprints of the repeat are added to it.
 */
async function findRepeated(
  tx: Transaction,
  repeats: readonly NewSms[],
  won: ReadonlySet<string>,
): Promise<Map<string, KnownSms>> {
  // A separate statement, because it must see what concurrent inserts have committed since the snapshot of the insert.
  const lost = repeats.flatMap(({ fingerprints }) => fingerprints.filter((fingerprint) => !won.has(fingerprint)));
  const owners = await findByFingerprint(tx, lost);
  const repeated = new Map<string, KnownSms>();
  const links: (readonly [string, string])[] = [];
  for (const { message, fingerprints } of repeats) {
    const owner = fingerprints.map((fingerprint) => owners.get(fingerprint)).find((known) => known !== undefined);
    if (owner === undefined) throw new Error('invariant: a known fingerprint has an event');
    repeated.set(message.id, owner);
    links.push(...fingerprints.filter((fingerprint) => won.has(fingerprint)).map((each) => [each, owner.id] as const));
  }
  if (links.length > 0) await leadTo(tx, links);
  return repeated;
}
