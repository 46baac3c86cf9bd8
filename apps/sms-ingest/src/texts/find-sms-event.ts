import { BusinessError, type SmsEventFacts, type SmsEventText } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findSmsEvent as find, reportSmsEvent as noteReport, type StoredSms } from './sms-event-view-repository';
import { holdsOneTimePassword } from '../domain/hidden-text';
import { textParts } from '../domain/text-parts';
import type { SmsSecrets } from '../intake/sms-secrets';

export interface FindSmsEventDeps {
  readonly db: Queryable;
  readonly secrets: Pick<SmsSecrets, 'open'>;
  readonly now: () => Date;
}

/** The stored values of an SMS of a merchant, without its text. */
export async function findSmsEvent(
  { db }: Pick<FindSmsEventDeps, 'db'>,
  merchantId: string,
  id: string,
): Promise<SmsEventFacts> {
  return (await storedSms(db, merchantId, id)).facts;
}

/** The text of an SMS, unless it is deleted or must not be shown, with the places of its values. */
export async function showText(
  { db, secrets }: Pick<FindSmsEventDeps, 'db' | 'secrets'>,
  merchantId: string,
  id: string,
): Promise<SmsEventText> {
  const { facts, sealedText } = await storedSms(db, merchantId, id);
  if (sealedText === null) return { message: null, hidden: 'deleted', parts: [] };
  const { message } = secrets.open(id, sealedText);
  if (holdsOneTimePassword(message, facts.kind)) return { message: null, hidden: 'one_time_password', parts: [] };
  return { message, hidden: null, parts: textParts(message, facts) };
}

/** Records a report that the format of an SMS is unknown or wrongly parsed. */
export async function reportFormat(
  { db, now }: Pick<FindSmsEventDeps, 'db' | 'now'>,
  merchantId: string,
  id: string,
): Promise<SmsEventFacts> {
  if (!(await noteReport(db, merchantId, id, now()))) throw new BusinessError('NOT_FOUND');
  return findSmsEvent({ db }, merchantId, id);
}

async function storedSms(db: Queryable, merchantId: string, id: string): Promise<StoredSms> {
  const stored = await find(db, merchantId, id);
  if (stored === undefined) throw new BusinessError('NOT_FOUND');
  return stored;
}
