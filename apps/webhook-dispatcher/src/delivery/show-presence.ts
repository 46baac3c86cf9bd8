import { createWakeUp } from './wake-up';
import { findDeadSenders, holdSession, releaseLeasesOf, type HeldSession } from './sender-repository';
import type { ServiceDeps } from '../service-deps';

const LOOK_MS = 1_000;

export interface PresenceDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  readonly workerId: string;
  readonly poke: () => void;
}

/**
 * Holds this process's sender lock and releases the leases of dead processes, so that their deliveries are sent again
 * within seconds. A suspended process keeps its session and its leases until they expire.
 */
export function createPresence({ db, workerId, log, poke }: PresenceDeps): () => { leave(): Promise<void> } {
  const releaseDeadSenders = async (): Promise<void> => {
    const dead = await findDeadSenders(db);
    if (dead.length === 0) return;
    const deliveries = await releaseLeasesOf(db, dead);
    log.warn({ senders: dead, deliveries }, 'delivery.leases_released');
    if (deliveries > 0) poke();
  };

  return () => {
    const wakeUp = createWakeUp();
    const leaving = new AbortController();
    const left = (async () => {
      let session: HeldSession | undefined;
      while (!leaving.signal.aborted) {
        try {
          session ??= await holdSession(db, workerId);
          await session.check();
          await releaseDeadSenders();
        } catch (error) {
          log.warn({ err: error }, 'delivery.presence_lost');
          await session?.release().catch(() => undefined);
          session = undefined;
        }
        await wakeUp.wait(LOOK_MS);
      }
      // Other processes detect the end of the session anyway.
      await session?.release().catch(() => undefined);
    })();
    return {
      leave() {
        leaving.abort();
        wakeUp.wake();
        return left;
      },
    };
  };
}
