import { randomUUID } from 'node:crypto';
import { MAX_TTL_SECONDS } from '@pay/contracts';
import type { PublicApi } from '../merchant-client';
import type { MerchantAccess } from '../system';

/** Results of a key that sends too many requests. */
export interface NoiseFigures {
  readonly sentPerSecond: number;
  readonly admittedPerSecond: number;
  /** Responses 429. */
  readonly refused: number;
}

export function createLiveIntent(api: PublicApi, access: MerchantAccess) {
  const fields = {
    amount: 250,
    idempotencyKey: randomUUID(),
    paymentMethod: 'BKASH_SEND_MONEY',
    ttlSeconds: MAX_TTL_SECONDS,
  };
  return api.createIntent(access, fields);
}
