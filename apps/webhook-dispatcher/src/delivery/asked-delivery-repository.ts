import type { DeliveredEvent, Environment } from '@pay/contracts';
import { command } from '@pay/persistence';

export interface TestDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly eventType: DeliveredEvent;
  readonly occurredAt: Date;
  readonly idempotencyKey: string;
  readonly body: string;
}

export const insertTestDelivery = command(
  'insert-test-delivery',
  `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
     next_attempt_at)
   values ($1, $2, $3, $4, $1, $5, $6, $7, $8, now())`,
  ({ id, endpointId, merchantId, environment, ...test }: TestDelivery) => [
    ...[id, endpointId, merchantId, environment],
    ...[test.eventType, test.occurredAt, test.idempotencyKey, test.body],
  ],
);

const RESENDS_AT_MOST = 100;

/** A leased delivery only gets the count. The result of its attempt makes it due again. */
export const askAgain = command<[id: string]>(
  'ask-for-delivery-again',
  `update deliveries set
     resends = least(resends + 1, ${RESENDS_AT_MOST}), delivered_at = null, ended_at = null,
     status = case status when 'DELIVERED' then 'PENDING' when 'FAILED' then 'RETRYING' else status end,
     schedule_from = case when lease_owner is null then attempt else schedule_from end, planned_at = null,
     next_attempt_at = case when lease_owner is null then now() else next_attempt_at end
   where id = $1`,
);
