import {
  DEFAULT_CHECKOUT_RULES,
  DEFAULT_EVIDENCE_RULES,
  tenantKey,
  type PaymentMethod,
  type Tenant,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { Terms } from '../domain/facts';

export interface MatchSettings {
  readonly matchWindowMs: number;
  readonly trxIdLeadMs: number;
  readonly recordRetentionMs: number;
}

export interface FindTermsDeps {
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly settings: MatchSettings;
}

/** The current terms of each tenant; no entry for a merchant whose facts have not arrived. */
export async function findTerms(
  { directory, settings }: FindTermsDeps,
  tenants: readonly Tenant[],
): Promise<Map<string, Terms>> {
  const distinct = new Map(tenants.map((tenant) => [tenantKey(tenant), tenant]));
  const found = await Promise.all(
    [...distinct].map(async ([key, tenant]) => {
      const [merchant, accounts] = await Promise.all([
        directory.merchant(tenant.merchantId),
        directory.receiverAccounts(tenant),
      ]);
      if (merchant === undefined) return [];
      const active = accounts.filter(({ isActive }) => isActive && merchant.isActive);
      const terms: Terms = {
        ...settings,
        enabledMethods: new Set(merchant.enabledMethods),
        activeReceivers: new Map(active.map(({ id, paymentMethod }) => [id, paymentMethod])),
        evidenceRules: merchant.evidenceRules ?? DEFAULT_EVIDENCE_RULES,
        ...(merchant.checkout ?? DEFAULT_CHECKOUT_RULES),
      };
      return [[key, terms] as const];
    }),
  );
  return new Map(found.flat());
}

/** For a deleted merchant: accepts nothing. */
export function noTerms(settings: MatchSettings): Terms {
  return {
    ...settings,
    enabledMethods: new Set<PaymentMethod>(),
    activeReceivers: new Map(),
    evidenceRules: DEFAULT_EVIDENCE_RULES,
    ...DEFAULT_CHECKOUT_RULES,
  };
}
