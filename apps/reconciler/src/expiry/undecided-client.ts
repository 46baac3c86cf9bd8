import { setTimeout as delay } from 'node:timers/promises';
import { undecidedSchema, type Undecided } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { Logger } from '@pay/runtime';

export type IntakeOwner = 'sms-ingest' | 'checkout-api';

export interface UndecidedDeps {
  readonly owners: Readonly<Record<IntakeOwner, Pick<ServiceClient, 'request'>>>;
  readonly log: Logger;
  /** Ends when the next request may start. */
  readonly pause?: () => Promise<unknown>;
}

/**
 * Requests the accepted but undecided items from the owners of intake, after this call. Undefined if one of them does
 * not respond; `onSilence` receives each such owner.
 */
export type AskUndecided = (onSilence?: (owner: IntakeOwner) => void) => Promise<Answer>;

type Answer = Undecided['undecided'] | undefined;

/** Minimum time between two requests, because each makes the intake transactions of all merchants wait. */
const PAUSE_MS = 100;

/** At most one request per owner runs. All calls until the next one starts share it. */
export function undecidedClient({
  owners,
  log,
  pause = () => delay(PAUSE_MS, undefined, { ref: false }),
}: UndecidedDeps): AskUndecided {
  const silent = new Set<IntakeOwner>();
  let next: Promise<readonly [texts: Answer, claims: Answer]> | undefined;
  let mayStart: Promise<unknown> = Promise.resolve();

  async function ask(owner: IntakeOwner): Promise<Answer> {
    try {
      const { undecided } = await owners[owner].request('GET', '/internal/v1/undecided', { schema: undecidedSchema });
      if (silent.delete(owner)) log.info({ owner }, 'expiry.owner_answered');
      return undecided;
    } catch (error) {
      if (!(error instanceof ServiceCallFailed)) throw error;
      if (!silent.has(owner)) log.warn({ owner, err: error }, 'expiry.owner_not_reached');
      silent.add(owner);
      return undefined;
    }
  }

  function askTogether() {
    next ??= mayStart.then(() => {
      next = undefined;
      const answer = Promise.all([ask('sms-ingest'), ask('checkout-api')]);
      mayStart = Promise.allSettled([answer, pause()]);
      return answer;
    });
    return next;
  }

  return async (onSilence) => {
    const [texts, claims] = await askTogether();
    if (texts === undefined) onSilence?.('sms-ingest');
    if (claims === undefined) onSilence?.('checkout-api');
    return texts === undefined || claims === undefined ? undefined : [...texts, ...claims];
  };
}
