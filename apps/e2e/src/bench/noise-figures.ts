import { randomUUID } from 'node:crypto';
import type { PublicDoors } from '../merchant-client';
import type { MerchantAccess } from '../system';

/** What became of the requests of a key that sends too many. */
export interface NoiseFigures {
  readonly sentPerSecond: number;
  readonly admittedPerSecond: number;
  /** Answered 429. */
  readonly refused: number;
}

export function createLiveIntent(doors: PublicDoors, access: MerchantAccess) {
  const fields = { amount: 250, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 86_400 };
  return doors.createIntent(access, fields);
}
