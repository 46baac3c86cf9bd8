import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { createAlarm } from './alarm';
import { findDeadSenders, holdSession, releaseLeasesOf, type HeldSession } from './sender-repository';

const LOOK_MS = 1_000;

export interface PresenceDeps {
  readonly db: Database;
  readonly workerId: string;
  readonly log: Logger;
  /** Something became due. */
  readonly poke: () => void;
}

/**
 * Shows the other processes that this one lives, and ends the leases of those that do not: what a killed one was
 * sending is sent again in seconds. A process that is only stopped keeps its session, and its leases until they run
 * out.
 */
export function createPresence({ db, workerId, log, poke }: PresenceDeps): () => { leave(): Promise<void> } {
  const releaseTheDead = async (): Promise<void> => {
    const dead = await findDeadSenders(db);
    if (dead.length === 0) return;
    const deliveries = await releaseLeasesOf(db, dead);
    log.warn({ senders: dead, deliveries }, 'delivery.released_from_the_dead');
    if (deliveries > 0) poke();
  };

  return () => {
    const alarm = createAlarm();
    const leaving = new AbortController();
    const left = (async () => {
      let session: HeldSession | undefined;
      while (!leaving.signal.aborted) {
        try {
          session ??= await holdSession(db, workerId);
          await session.check();
          await releaseTheDead();
        } catch (error) {
          log.warn({ err: error }, 'delivery.presence_lost');
          await session?.release().catch(() => undefined);
          session = undefined;
        }
        await alarm.wait(LOOK_MS);
      }
      // Others find the session gone anyway.
      await session?.release().catch(() => undefined);
    })();
    return {
      leave() {
        leaving.abort();
        alarm.ring();
        return left;
      },
    };
  };
}
