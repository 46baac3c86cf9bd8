import { type DeviceFact, BusinessError } from '@pay/contracts';

/** Limits of SMS that wait for the database at a time. Each limit allows at least one whole batch. */
export interface AdmissionBounds {
  readonly all: number;
  readonly perMerchant: number;
  readonly perDevice: number;
  /** While a merchant's oldest SMS waits for longer, further SMS of this merchant are refused. */
  readonly longestWaitMs: number;
}

type Sender = Pick<DeviceFact, 'id' | 'merchantId'>;
export type Bound = 'device' | 'merchant' | 'all' | 'wait';

export interface Admission {
  /**
   * Reserves places for this many SMS of a phone and returns a function that releases them. Throws BUSY before anything
   * is stored.
   */
  readonly admit: (sender: Sender, count: number) => () => void;
  /** The refusal that even the smallest request of this phone would get; undefined while places are free. */
  refusalOf(sender: Sender): BusinessError | undefined;
}

/** Waiting SMS of one merchant by device, and their start times, oldest first. */
interface Account {
  count: number;
  readonly devices: Map<string, number>;
  readonly since: Set<{ readonly at: number }>;
}

/**
 * Limits the SMS that wait for the database, so that requests are refused early and completely. A phone or merchant
 * above its share must send again later and does not reduce the share of others.
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

  /** Retry-After is the wait of the oldest SMS, after which the waiting ones are stored. */
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
