import type { Database, Transaction } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import {
  deletePlainFingerprints,
  keyFingerprints,
  lockPlainFingerprints,
  plainFingerprintsRemain,
  type Keying,
} from '../intake/sms-fingerprint-repository';
import { lockPlainTexts, storeSealedTexts } from './stored-text-repository';
import { shownSender } from '../domain/shown-sender';
import type { SmsSecrets } from './sms-secrets';

export interface SealOldRowsDeps {
  readonly db: Database;
  readonly secrets: Pick<SmsSecrets, 'seal' | 'keyed'>;
  readonly old: { fingerprintsRemain: boolean };
  readonly log: Logger;
}

const BATCH = 200;

/**
 * Encrypts texts and keys fingerprints that processes of the previous version stored; reports when no such fingerprint
 * is left.
 */
export async function sealOldRows(deps: SealOldRowsDeps, signal: AbortSignal): Promise<void> {
  const { db, old, log } = deps;
  const texts = await inBatches((batch) => db.transaction((tx) => sealTexts(deps, tx, batch)), signal);
  const fingerprints = await inBatches((batch) => db.transaction((tx) => keyPlain(deps, tx, batch)), signal);
  if (texts + fingerprints > 0) log.info({ texts, fingerprints }, 'sms.old_rows_encrypted');
  old.fingerprintsRemain = await plainFingerprintsRemain(db);
}

async function sealTexts({ secrets }: SealOldRowsDeps, tx: Transaction, limit: number): Promise<number> {
  const plain = await lockPlainTexts(tx, limit);
  if (plain.length === 0) return 0;
  const sealed = plain.map((sms) => ({
    id: sms.id,
    sender: shownSender(sms.sender),
    sealed: secrets.seal(sms.id, sms),
  }));
  await storeSealedTexts(tx, sealed);
  return plain.length;
}

async function keyPlain({ secrets }: SealOldRowsDeps, tx: Transaction, limit: number): Promise<number> {
  const plain = await lockPlainFingerprints(tx, limit);
  if (plain.length === 0) return 0;
  await keyFingerprints(
    tx,
    plain.map((each): Keying => [each, secrets.keyed(each)]),
  );
  await deletePlainFingerprints(tx, plain);
  return plain.length;
}

async function inBatches(doOne: (batch: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    const done = await doOne(BATCH);
    total += done;
    if (done < BATCH || signal.aborted) return total;
  }
}
