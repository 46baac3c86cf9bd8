import type { Tenant } from '@pay/contracts';

/** Keys that connect facts and are locked during a decision. Each contains the tenant. */
export const keyOf = {
  reference: ({ merchantId, environment }: Tenant, referenceKey: string) =>
    `${merchantId}/${environment}/reference/${referenceKey}`,
  trxId: ({ merchantId, environment }: Tenant, trxId: string) => `${merchantId}/${environment}/trx/${trxId}`,
  sms: (smsEventId: string) => `sms/${smsEventId}`,
  intent: (intentId: string) => `intent/${intentId}`,
};

export function isIntentKey(key: string): boolean {
  return key.startsWith('intent/');
}
