import type { Environment, Tenant, WebhookEvent } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

export interface Endpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly eventTypes: readonly WebhookEvent[];
  readonly sealedSecret: string;
  readonly isVerified: boolean;
  readonly isActive: boolean;
  readonly goneAt: Date | null;
  readonly createdAt: Date;
}

const COLUMNS = `
  id, merchant_id as "merchantId", environment, url, event_types as "eventTypes", sealed_secret as "sealedSecret",
  is_verified as "isVerified", is_active as "isActive", gone_at as "goneAt", created_at as "createdAt"`;

/** A condition on an endpoint: its deliveries are sent, not held. Any LIVE endpoint proves first that it is the merchant's. */
export const IS_SENDABLE = `(is_active and deleted_at is null and (is_verified or environment = 'SANDBOX'))`;

export type NewEndpoint = Pick<Endpoint, 'id' | 'merchantId' | 'environment' | 'url' | 'eventTypes' | 'sealedSecret'>;

const INSERT = statement(
  'insert-endpoint',
  `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret)
   values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
);

export async function insertEndpoint(db: Queryable, endpoint: NewEndpoint): Promise<Endpoint> {
  const { id, merchantId, environment, url, eventTypes, sealedSecret } = endpoint;
  const [row] = await db.query<Endpoint>(INSERT, [id, merchantId, environment, url, eventTypes, sealedSecret]);
  if (row === undefined) throw new Error('an inserted endpoint came back as nothing');
  return row;
}

const FIND = statement(
  'find-endpoint',
  `select ${COLUMNS} from endpoints where id = $1 and merchant_id = $2 and environment = $3 and deleted_at is null`,
);

export async function findEndpoint(db: Queryable, tenant: Tenant, id: string): Promise<Endpoint | undefined> {
  const [row] = await db.query<Endpoint>(FIND, [id, tenant.merchantId, tenant.environment]);
  return row;
}

const LIST = statement(
  'list-endpoints',
  `select ${COLUMNS} from endpoints where merchant_id = $1 and environment = $2 and deleted_at is null
   order by id desc limit $3 offset $4`,
);
const COUNT = statement(
  'count-endpoints',
  'select count(*)::int as total from endpoints where merchant_id = $1 and environment = $2 and deleted_at is null',
);

export async function listEndpointRows(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { page, limit }: { page: number; limit: number },
): Promise<{ data: Endpoint[]; total: number }> {
  const data = await db.query<Endpoint>(LIST, [merchantId, environment, limit, (page - 1) * limit]);
  const [count] = await db.query<{ total: number }>(COUNT, [merchantId, environment]);
  return { data, total: count?.total ?? 0 };
}

/**
 * Key share: who switches an endpoint off or deletes it locks the row for update first, and so waits for plans that saw it as
 * it was, and sees their deliveries.
 */
const TO_NOTIFY = statement(
  'endpoints-to-notify',
  `select ${COLUMNS}, ${IS_SENDABLE} as "isSendable" from endpoints
   where merchant_id = any($1::uuid[]) and deleted_at is null order by id for key share`,
);

export type NotifiedEndpoint = Endpoint & { readonly isSendable: boolean };

/** Every endpoint of these merchants at this moment, of both environments, also those whose deliveries are held. */
export async function endpointsToNotify(tx: Transaction, merchantIds: readonly string[]): Promise<NotifiedEndpoint[]> {
  return tx.query<NotifiedEndpoint>(TO_NOTIFY, [merchantIds]);
}

const MARK_DELETED = statement(
  'mark-endpoint-deleted',
  `with target as (
     select id from endpoints where id = $1 and merchant_id = $2 and environment = $3 and deleted_at is null for update
   )
   update endpoints e set deleted_at = now() from target where e.id = target.id`,
);
const FAIL_OPEN_DELIVERIES = statement(
  'fail-open-deliveries',
  `update deliveries set status = 'FAILED', next_attempt_at = null
   where merchant_id = $2 and environment = $3 and status in ('PENDING', 'RETRYING') and endpoint_id = $1
     and lease_owner is null`,
);

/** Also ends what was still to be sent; a request in flight ends by itself. False when there is no such endpoint. */
export async function deleteEndpointRow(tx: Transaction, tenant: Tenant, id: string): Promise<boolean> {
  const values = [id, tenant.merchantId, tenant.environment];
  if ((await tx.execute(MARK_DELETED, values)) === 0) return false;
  await tx.execute(FAIL_OPEN_DELIVERIES, values);
  return true;
}

const NOTE_GONE = statement(
  'note-endpoint-gone',
  `update endpoints set
     gone_at = coalesce(gone_at, now()),
     is_active = is_active and (gone_at is null or gone_at > now() - make_interval(secs => $2)),
     disabled_reason = case when gone_at <= now() - make_interval(secs => $2) then 'GONE' else disabled_reason end
   where id = any($1::uuid[]) and is_active returning id, is_active as "isActive"`,
);

/** An endpoint said 410: the first is remembered, one a while after it switches the endpoint off. Gives who went off now. */
export async function noteGone(
  tx: Transaction,
  ids: readonly string[],
  confirmedAfterSeconds: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string; isActive: boolean }>(NOTE_GONE, [ids, confirmedAfterSeconds]);
  return rows.filter(({ isActive }) => !isActive).map(({ id }) => id);
}

const FORGET_GONE = statement(
  'forget-endpoint-gone',
  'update endpoints set gone_at = null where id = any($1::uuid[]) and is_active and gone_at is not null',
);

/** Another answer than 410 came in between. */
export async function forgetGone(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.execute(FORGET_GONE, [ids]);
}

const KEY_IDS = `select distinct split_part(sealed_secret, ':', 1) as id from endpoints where deleted_at is null`;

/** Ids of the encryption keys that stored secrets were sealed with. */
export async function encryptionKeysInUse(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>(KEY_IDS)).map(({ id }) => id);
}
