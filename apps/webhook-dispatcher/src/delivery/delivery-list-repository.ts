import type { DeliveredEvent, DeliveryStatus, Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';

export interface ListedDelivery {
  readonly id: string;
  readonly endpointId: string;
  /** Null for a test. */
  readonly paymentIntentId: string | null;
  readonly eventType: DeliveredEvent;
  readonly status: DeliveryStatus;
  readonly attempt: number;
  readonly statusCode: number | null;
  readonly idempotencyKey: string;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: DeliveredEvent | undefined;
  readonly endpointId?: string | undefined;
  readonly paymentIntentId?: string | undefined;
}

export const LISTED_COLUMNS = `
  id, endpoint_id as "endpointId", payment_intent_id as "paymentIntentId", event_type as "eventType", status, attempt,
  status_code as "statusCode", idempotency_key as "idempotencyKey", delivered_at as "deliveredAt", created_at as "createdAt"`;

/**
 * Newest first, by id: delivery ids are ordered by time. Only the given filters are in the text, so that each
 * combination gets the index that fits it; `status <> 'DELIVERED'` is said again where it follows, because a partial
 * index asks for it.
 */
export async function listDeliveryRows(
  db: Queryable,
  tenant: Tenant,
  filter: DeliveryFilter,
  { page, limit }: { page: number; limit: number },
): Promise<{ data: ListedDelivery[]; total: number }> {
  const { where, values } = whereOf(tenant, filter);
  const [count] = await db.query<{ total: number }>(`select count(*)::int as total ${where}`, values);
  const data = await db.query<ListedDelivery>(
    `select ${LISTED_COLUMNS} ${where} order by id desc limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, (page - 1) * limit],
  );
  return { data, total: count?.total ?? 0 };
}

/** The rows behind one of them, without a total. */
export function deliveryRowsAfter(
  db: Queryable,
  tenant: Tenant,
  filter: DeliveryFilter,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ListedDelivery[]> {
  const { where, values } = whereOf(tenant, filter);
  const behind = after === undefined ? '' : `and id < $${values.length + 2}`;
  return db.query<ListedDelivery>(
    `select ${LISTED_COLUMNS} ${where} ${behind} order by id desc limit $${values.length + 1}`,
    [...values, limit, ...(after === undefined ? [] : [after])],
  );
}

function whereOf({ merchantId, environment }: Tenant, filter: DeliveryFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [merchantId, environment];
  const conditions = ['merchant_id = $1', 'environment = $2'];
  const equals = (column: string, value: string | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${column} = $${values.length}`);
  };
  equals('status', filter.status);
  if (filter.status !== undefined && filter.status !== 'DELIVERED') conditions.push(`status <> 'DELIVERED'`);
  equals('event_type', filter.eventType);
  equals('endpoint_id', filter.endpointId);
  equals('payment_intent_id', filter.paymentIntentId);
  return { where: `from deliveries where ${conditions.join(' and ')}`, values };
}
