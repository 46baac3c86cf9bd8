import { tenantKey, WAITING_SMS, type Tenant } from '@pay/contracts';

export interface WaitingTenant extends Tenant {
  /** Arrival of the tenant's oldest waiting SMS. */
  readonly oldest: Date;
}

type Arrived = Tenant & { readonly ingestedAt: Date };

export interface WaitingSms {
  /** Counts an SMS as waiting until `work` ends, which stores it. */
  untilStored<Result>(sms: Arrived, work: () => Promise<Result>): Promise<Result>;
  /** Tenants with an SMS that has waited for at least a second. */
  longWaiting(): WaitingTenant[];
  readonly size: number;
}

/** SMS that this process has accepted and not stored: they wait for a turn, a connection or a commit. */
export function openWaitingSms(clock: () => number): WaitingSms {
  // In the order of their arrival.
  const waiting = new Set<{ readonly sms: Arrived; readonly since: number }>();
  return {
    async untilStored(sms, work) {
      const place = { sms, since: clock() };
      waiting.add(place);
      try {
        return await work();
      } finally {
        waiting.delete(place);
      }
    },
    longWaiting() {
      const latest = clock() - WAITING_SMS.reportedAfterMs;
      const tenants = new Map<string, WaitingTenant>();
      for (const { sms, since } of waiting) {
        if (since > latest) break;
        const { merchantId, environment, ingestedAt: oldest } = sms;
        const key = tenantKey(sms);
        const known = tenants.get(key);
        if (known === undefined || oldest < known.oldest) tenants.set(key, { merchantId, environment, oldest });
      }
      return [...tenants.values()];
    },
    get size() {
      return waiting.size;
    },
  };
}
