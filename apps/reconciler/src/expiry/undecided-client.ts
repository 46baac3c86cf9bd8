import { undecidedSchema, type Undecided } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { Logger } from '@pay/runtime';

export type IntakeOwner = 'sms-ingest' | 'checkout-api';

export interface UndecidedDeps {
  readonly owners: Readonly<Record<IntakeOwner, Pick<ServiceClient, 'request'>>>;
  readonly log: Logger;
  readonly onSilence: (owner: IntakeOwner) => void;
}

/** Requests the accepted but undecided items from the owners of intake. Undefined if one of them does not respond. */
export type AskUndecided = () => Promise<Undecided['undecided'] | undefined>;

export function undecidedClient({ owners, log, onSilence }: UndecidedDeps): AskUndecided {
  const silent = new Set<IntakeOwner>();

  async function ask(owner: IntakeOwner): Promise<Undecided['undecided'] | undefined> {
    try {
      const { undecided } = await owners[owner].request('GET', '/internal/v1/undecided', { schema: undecidedSchema });
      if (silent.delete(owner)) log.info({ owner }, 'expiry.owner_answered');
      return undecided;
    } catch (error) {
      if (!(error instanceof ServiceCallFailed)) throw error;
      onSilence(owner);
      if (!silent.has(owner)) log.warn({ owner, err: error }, 'expiry.owner_not_reached');
      silent.add(owner);
      return undefined;
    }
  }

  return async () => {
    const [texts, claims] = await Promise.all([ask('sms-ingest'), ask('checkout-api')]);
    return texts === undefined || claims === undefined ? undefined : [...texts, ...claims];
  };
}
