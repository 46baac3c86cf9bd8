import {
  containsMsisdn,
  PAYER_PAGE,
  type ErasedPayers,
  type ErasePayersRequest,
  type FindPayersRequest,
  type PayerPage,
} from '@pay/contracts';
import type { Database, Transaction } from '@pay/persistence';
import { eraseTexts, lockDecidedTexts, pageOfPayerTexts, type PayerText } from './payer-text-repository';
import type { SmsSecrets } from '../intake/sms-secrets';

export interface ErasePayersDeps {
  readonly db: Database;
  readonly secrets: Pick<SmsSecrets, 'open'>;
}

/**
 * SMS of a merchant that contain one of the numbers. Texts are decrypted, because an unparsed one has no parsed
 * numbers.
 */
export async function findPayers(
  { db, secrets }: ErasePayersDeps,
  { merchantId, msisdns, after }: FindPayersRequest,
): Promise<PayerPage> {
  const { texts, last } = await pageOfPayerTexts(db, { merchantId, after, rows: PAYER_PAGE });
  const found = texts.filter((text) => partsOf(text, secrets).some((part) => containsMsisdn(part, msisdns)));
  return { ids: found.map(({ id }) => id), next: last };
}

/** Deletes the texts of these SMS, and the numbers from their parsed values. Amounts, TrxIDs and fingerprints stay. */
export async function erasePayers(
  { db }: Pick<ErasePayersDeps, 'db'>,
  { merchantId, msisdns, smsEventIds }: ErasePayersRequest,
): Promise<ErasedPayers> {
  const decided = await db.transaction((tx) => eraseDecided(tx, { merchantId, msisdns, smsEventIds }));
  return { erased: decided.size, openIds: smsEventIds.filter((id) => !decided.has(id)) };
}

async function eraseDecided(
  tx: Transaction,
  { merchantId, msisdns, smsEventIds }: Pick<ErasePayersRequest, 'merchantId' | 'msisdns' | 'smsEventIds'>,
): Promise<Set<string>> {
  const without = (value: string | null) => (value !== null && containsMsisdn(value, msisdns) ? null : value);
  const texts = await lockDecidedTexts(tx, smsEventIds, merchantId);
  await eraseTexts(
    tx,
    texts.map(({ id, senderMsisdn, recipientMsisdn, reference }) => ({
      id,
      senderMsisdn: without(senderMsisdn),
      recipientMsisdn: without(recipientMsisdn),
      reference: without(reference),
    })),
  );
  return new Set(texts.map(({ id }) => id));
}

function partsOf(text: PayerText, secrets: ErasePayersDeps['secrets']): string[] {
  const { id, sealedText, senderMsisdn, recipientMsisdn, reference } = text;
  const original = sealedText === null ? undefined : secrets.open(id, sealedText);
  return [senderMsisdn, recipientMsisdn, reference, original?.sender ?? null, original?.message ?? null].filter(
    (part): part is string => part !== null,
  );
}
