import { apiKeyLookupSchema, deviceLookupSchema } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { semaphore, type Logger } from '@pay/runtime';
import type { z } from 'zod';
import { storedFact, type StoredFact } from './stored-fact';

export interface OwnerLookUpDeps {
  readonly client: Pick<ServiceClient, 'request'>;
  readonly log: Logger;
  readonly clock: () => number;
}

export interface OwnerLookUp {
  /** Undefined if the owner does not know the key, does not respond, or the rate limit is reached. */
  find(kind: 'api_key' | 'device', keyHash: string): Promise<StoredFact | undefined>;
  /** Null if the owner responded that there is no such device; undefined if the state is unknown. */
  findDeviceById(id: string): Promise<StoredFact | null | undefined>;
}

const MOST_IN_FLIGHT = 8;
const MOST_WAITING = 64;
const MOST_PER_SECOND = 100;
const SECOND_MS = 1_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Looks up credentials that the copy lacks: at most 8 concurrently, 64 waiting and 100 per second, and none for a
 * second after a failure, because anybody can generate keys with a valid checksum. Credentials beyond the limits count
 * as unknown; a key issued at that moment works when its event arrives.
 */
export function ownerLookUp({ client, log, clock }: OwnerLookUpDeps): OwnerLookUp {
  const inTurn = semaphore({
    mostAtOnce: MOST_IN_FLIGHT,
    waiting: { most: MOST_WAITING, refuse: () => new Error('too many look-ups wait') },
  });
  let pausedUntil = -Infinity;
  let second = { startedAt: -Infinity, asked: 0 };

  function mayAsk(): boolean {
    const now = clock();
    if (now < pausedUntil) return false;
    if (now - second.startedAt >= SECOND_MS) second = { startedAt: now, asked: 0 };
    second.asked += 1;
    return second.asked <= MOST_PER_SECOND;
  }

  const ask = <Answer>(path: string, schema: z.ZodType<Answer>): Promise<Answer | undefined> =>
    inTurn(async () => {
      if (!mayAsk()) return undefined;
      try {
        return await client.request('GET', path, { schema });
      } catch (error) {
        if (!isAboutTheQuestion(error)) pausedUntil = clock() + PAUSE_AFTER_FAILURE_MS;
        log.warn({ err: error }, 'directory.look_up_failed');
        return undefined;
      }
      // Only the semaphore rejects, if too many callers wait.
    }).catch(() => undefined);

  return {
    async find(kind, keyHash) {
      if (kind === 'api_key') {
        const answer = await ask(`/internal/v1/api-keys/${keyHash}`, apiKeyLookupSchema);
        return answer?.apiKey ? storedFact('api_key', answer.apiKey, answer.epoch) : undefined;
      }
      const answer = await ask(`/internal/v1/devices/${keyHash}`, deviceLookupSchema);
      return answer?.device ? storedFact('device', answer.device, answer.epoch) : undefined;
    },
    async findDeviceById(id) {
      const answer = await ask(`/internal/v1/device-facts/${id}`, deviceLookupSchema);
      if (answer === undefined) return undefined;
      return answer.device ? storedFact('device', answer.device, answer.epoch) : null;
    },
  };
}

/**
 * The owner refuses this request because of its credential, which an attacker may have chosen; look-ups of others
 * continue.
 */
function isAboutTheQuestion(error: unknown): boolean {
  return error instanceof ServiceCallFailed && (error.status === 400 || error.status === 404);
}
