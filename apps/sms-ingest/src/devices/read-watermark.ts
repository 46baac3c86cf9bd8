import type { ComparedMessage, DeviceFact, WatermarkResponse } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { knownMessages, messageDays, newestMessage } from './device-message-repository';
import { datedIdOf, watermarkStart } from '../domain/watermark';

export interface ReadWatermarkDeps {
  readonly db: Queryable;
}

/** A summary of a phone's received messages, which it can compare with its inbox. */
export async function readWatermark(
  { db }: ReadWatermarkDeps,
  { id }: Pick<DeviceFact, 'id'>,
  asked: string | undefined,
): Promise<WatermarkResponse> {
  const { newest, at } = await newestMessage(db, id);
  const since = watermarkStart(asked === undefined ? undefined : new Date(asked), at);
  return {
    serverTime: at.toISOString(),
    since: since.toISOString(),
    receivedThrough: newest?.toISOString() ?? null,
    days: await messageDays(db, id, since),
  };
}

/** The ids of messages that this phone has not sent, in the order of the request. */
export async function listMissing(
  { db }: ReadWatermarkDeps,
  { id }: Pick<DeviceFact, 'id'>,
  messages: readonly ComparedMessage[],
): Promise<string[]> {
  if (messages.length === 0) return [];
  const asked = messages.map(datedIdOf);
  const days = [...new Set(asked.map(({ day }) => day))];
  const known = await knownMessages(
    db,
    id,
    days,
    asked.map((each) => each.id),
  );
  const there = new Set(known.map((each) => `${each.day} ${each.id}`));
  return asked.filter((each) => !there.has(`${each.day} ${each.id}`)).map((each) => each.id);
}
