import { tenantKey, type Environment, type Tenant, type WebhookEvent } from '@pay/contracts';
import {
  count,
  firstRow,
  inTransaction,
  mapped,
  onlyRow,
  rows,
  statement,
  type Place,
  type Queryable,
  type Transaction,
} from '@pay/persistence';

export interface Endpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly eventTypes: readonly WebhookEvent[];
  readonly sealedSecret: string;
  /** The new secret during a rotation. */
  readonly nextSealedSecret: string | null;
  readonly secretOverlapEndsAt: Date | null;
  readonly isVerified: boolean;
  readonly verifiedAt: Date | null;
  readonly isActive: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly goneAt: Date | null;
  /** Time of the first failure after the last success. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

export type DisabledReason = 'GONE' | 'NO_SUCCESS';

/** Secrets that sign at this time. An overlap ends by its time, even if its row was not cleaned up. */
export const SECRETS_NOW = `
  case when secret_overlap_ends_at <= now() then next_sealed_secret else sealed_secret end as "sealedSecret",
  case when secret_overlap_ends_at > now() then next_sealed_secret end as "nextSealedSecret"`;

export const ENDPOINT_COLUMNS = `
  id, merchant_id as "merchantId", environment, url, event_types as "eventTypes", ${SECRETS_NOW},
  case when secret_overlap_ends_at > now() then secret_overlap_ends_at end as "secretOverlapEndsAt",
  is_verified as "isVerified", verified_at as "verifiedAt", is_active as "isActive", disabled_reason as "disabledReason",
  gone_at as "goneAt", failing_since as "failingSince", created_at as "createdAt"`;

/**
 * SQL condition: deliveries of the endpoint are sent, not held. `environments` is the placeholder of the environments
 * that require verification.
 */
export const isSendable = (environments: `$${number}`): string =>
  `(is_active and deleted_at is null and (is_verified or environment <> all(${environments}::text[])))`;

/** After a recovery, requests start one by one for this time: 1, 2, 4, 8 a second. */
export const SLOW_START_SECONDS = 4;

/** SQL condition. A recovery in the future does not count: the clock of the database has stepped back since. */
export const IS_STARTING_SLOWLY = `(recovered_at > now() - interval '${SLOW_START_SECONDS} seconds' and recovered_at <= now())`;

export type NewEndpoint = Pick<Endpoint, 'id' | 'merchantId' | 'environment' | 'url' | 'eventTypes' | 'sealedSecret'>;

export const insertEndpoint = onlyRow<Endpoint, [endpoint: NewEndpoint]>(
  'insert-endpoint',
  `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret)
   values ($1, $2, $3, $4, $5, $6) returning ${ENDPOINT_COLUMNS}`,
  ({ id, merchantId, environment, url, eventTypes, sealedSecret }) => [
    ...[id, merchantId, environment, url, eventTypes, sealedSecret],
  ],
);

const LOCK_TENANT = statement(
  'lock-endpoints-of-tenant',
  `select pg_advisory_xact_lock(hashtext('webhook-dispatcher endpoints'), hashtext($1))`,
);
const ADDRESSES = statement(
  'endpoint-addresses-of-tenant',
  `select id, url, is_verified as "isVerified" from endpoints
   where merchant_id = $1 and environment = $2 and deleted_at is null`,
);

export type EndpointAddress = Pick<Endpoint, 'id' | 'url' | 'isVerified'>;

/** Until COMMIT no other caller can add an endpoint of this tenant or change a URL. Includes disabled endpoints. */
export async function lockAddresses(tx: Transaction, tenant: Tenant): Promise<EndpointAddress[]> {
  await tx.execute(LOCK_TENANT, [tenantKey(tenant)]);
  return tx.query<EndpointAddress>(ADDRESSES, [tenant.merchantId, tenant.environment]);
}

export const findEndpoint = firstRow<Endpoint, [tenant: Tenant, id: string]>(
  'find-endpoint',
  `select ${ENDPOINT_COLUMNS} from endpoints where id = $1 and merchant_id = $2 and environment = $3 and deleted_at is null`,
  (tenant, id) => [id, tenant.merchantId, tenant.environment],
);

export const findEndpointEnvironment = mapped(({ environment }: Pick<Tenant, 'environment'>) => environment).firstRow(
  'find-endpoint-environment',
  'select environment from endpoints where id = $1 and merchant_id = $2 and deleted_at is null',
  (merchantId: string, id: string) => [id, merchantId],
);

const listed = rows<Endpoint, [tenant: Tenant, place: Place]>(
  'list-endpoints',
  `select ${ENDPOINT_COLUMNS} from endpoints where merchant_id = $1 and environment = $2 and deleted_at is null
   order by id desc limit $3 offset $4`,
  ({ merchantId, environment }, { page, limit }) => [merchantId, environment, limit, (page - 1) * limit],
);
const totalOf = count<[tenant: Tenant]>(
  'count-endpoints',
  'select count(*)::int as total from endpoints where merchant_id = $1 and environment = $2 and deleted_at is null',
  ({ merchantId, environment }) => [merchantId, environment],
);

export async function listEndpointRows(db: Queryable, tenant: Tenant, place: Place) {
  return { data: await listed(db, tenant, place), total: await totalOf(db, tenant) };
}

export type NotifiedEndpoint = Endpoint & {
  readonly isSendable: boolean;
  /** True if only a claim may start requests, because the breaker is open or was closed recently. */
  readonly isHeldBack: boolean;
};

/** Both environments, with endpoints whose deliveries are held. */
export const endpointsToNotify = inTransaction.rows<
  NotifiedEndpoint,
  [merchantIds: readonly string[], verifiedEnvironments: readonly Environment[]]
>(
  'endpoints-to-notify',
  // Key share: disabling or deleting an endpoint locks the row for update, so it waits for plans that read the old
  // state and sees their deliveries.
  `select ${ENDPOINT_COLUMNS}, ${isSendable('$2')} as "isSendable",
     breaker_until is not null or coalesce(${IS_STARTING_SLOWLY}, false) as "isHeldBack"
   from endpoints where merchant_id = any($1::uuid[]) and deleted_at is null order by id for key share`,
);

const MARK_DELETED = statement(
  'mark-endpoint-deleted',
  `with target as (
     select id from endpoints where id = $1 and merchant_id = $2 and environment = $3 and deleted_at is null for update
   )
   update endpoints e set deleted_at = now() from target where e.id = target.id`,
);
/** After COMMIT no plan can add a delivery of this endpoint. False if the endpoint does not exist. */
export async function markEndpointDeleted(tx: Transaction, tenant: Tenant, id: string): Promise<boolean> {
  return (await tx.execute(MARK_DELETED, [id, tenant.merchantId, tenant.environment])) > 0;
}

const KEY_IDS = `
  select distinct split_part(sealed, ':', 1) as id
  from endpoints cross join lateral (values (sealed_secret), (next_sealed_secret)) as secret (sealed)
  where deleted_at is null and sealed is not null`;

/** Ids of encryption keys. */
export async function encryptionKeysInUse(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>(KEY_IDS)).map(({ id }) => id);
}
