import { type DeviceFact, BusinessError } from '@pay/contracts';

/** How many SMS may be on their way into the database at a time. Each bound holds at least one whole batch. */
export interface AdmissionBounds {
  readonly all: number;
  readonly perMerchant: number;
  readonly perDevice: number;
  /** While a merchant's oldest SMS waits for longer, no more of this merchant is let in: commits take too long. */
  readonly longestWaitMs: number;
}

type Sender = Pick<DeviceFact, 'id' | 'merchantId'>;
export type Bound = 'device' | 'merchant' | 'all' | 'wait';

export interface Admission {
  /**
   * Room for so many SMS of this phone, until what it answers is called. Throws BUSY before anything has been touched.
   */
  readonly admit: (sender: Sender, count: number) => () => void;
  /** What the next request of this phone would hear, however small; undefined while there is room. */
  refusalOf(sender: Sender): BusinessError | undefined;
}

/** What one merchant has on the way: by device, and since when, the oldest first. */
interface Account {
  count: number;
  readonly devices: Map<string, number>;
  readonly since: Set<{ readonly at: number }>;
}

/**
 * Keeps what waits for the database bounded, so that it is refused early and whole instead of late and half. A phone or
 * merchant that sends more than its part is told to come again; the others' part is theirs.
 */
export function openAdmission(
  bounds: AdmissionBounds,
  { clock, noteRefusal }: { readonly clock: () => number; readonly noteRefusal: (bound: Bound) => void },
): Admission {
  const merchants = new Map<string, Account>();
  let all = 0;

  function waitOf(account: Account | undefined): number {
    const [oldest] = account?.since ?? [];
    return oldest === undefined ? 0 : clock() - oldest.at;
  }

  function exceeded({ id, merchantId }: Sender, count: number): Bound | undefined {
    const account = merchants.get(merchantId);
    if (waitOf(account) > bounds.longestWaitMs) return 'wait';
    if ((account?.devices.get(id) ?? 0) + count > bounds.perDevice) return 'device';
    if ((account?.count ?? 0) + count > bounds.perMerchant) return 'merchant';
    return all + count > bounds.all ? 'all' : undefined;
  }

  /** Retry after the waiting time of the oldest: what is waiting now is stored by then. */
  function refusal({ merchantId }: Sender, bound: Bound): BusinessError {
    noteRefusal(bound);
    const seconds = 1 + Math.ceil(waitOf(merchants.get(merchantId)) / 1_000);
    return new BusinessError('BUSY', undefined, seconds);
  }

  function count({ id, merchantId }: Sender, change: number): Account {
    const account = merchants.get(merchantId) ?? { count: 0, devices: new Map<string, number>(), since: new Set() };
    const ofDevice = (account.devices.get(id) ?? 0) + change;
    account.count += change;
    all += change;
    if (ofDevice > 0) account.devices.set(id, ofDevice);
    else account.devices.delete(id);
    if (account.count > 0) merchants.set(merchantId, account);
    else merchants.delete(merchantId);
    return account;
  }

  return {
    admit(sender, wanted) {
      const bound = exceeded(sender, wanted);
      if (bound !== undefined) throw refusal(sender, bound);
      if (wanted === 0) return () => undefined;
      const since = { at: clock() };
      count(sender, wanted).since.add(since);
      return () => {
        count(sender, -wanted).since.delete(since);
      };
    },
    refusalOf(sender) {
      const bound = exceeded(sender, 1);
      return bound && refusal(sender, bound);
    },
  };
}
