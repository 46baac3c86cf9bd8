import type {
  ApiKeyRecord,
  DeviceRecord,
  MerchantRecord,
  ReceiverAccountRecord,
  RecordKind,
  Records,
  UserRecord,
} from '../domain/records';
import { tableOf, type VersionedTable } from './versioned-table';

const VERSIONED = ['id', 'version', 'createdAt', 'updatedAt', 'deletedAt'] as const;
const OWNED = ['merchantId', 'environment'] as const;

const OF_MERCHANT = 'merchant_id = $1 and deleted_at is null order by id';
const PRESENT_OF_TENANT = 'merchant_id = $1 and environment = $2 and deleted_at is null order by id';
const OWN = 'id = $1 and merchant_id = $2 and deleted_at is null';
const ACTIVE_ELSEWHERE = `msisdn = $1 and environment = 'LIVE' and is_active and deleted_at is null and merchant_id <> $2`;

export const merchants = tableOf<MerchantRecord>()(
  'merchants',
  [...VERSIONED, 'name', 'isActive', 'enabledMethods', 'evidenceRules', 'branding', 'checkout', 'support'],
  {
    json: ['evidenceRules', 'branding', 'checkout', 'support'],
    queries: { present: 'deleted_at is null order by id', presentById: 'id = $1 and deleted_at is null' },
  },
);

export const users = tableOf<UserRecord>()(
  'users',
  [...VERSIONED, 'merchantId', 'email', 'name', 'role', 'passwordHash', 'isActive'],
  {
    queries: {
      own: OWN,
      byEmail: 'email = $1',
      presentByEmail: 'email = $1 and deleted_at is null',
      lockPresentByEmail: 'email = $1 and deleted_at is null for update',
    },
  },
);

export const apiKeys = tableOf<ApiKeyRecord>()(
  'api_keys',
  [...VERSIONED, ...OWNED, 'name', 'keyHash', 'lastFour', 'scopes', 'isLocked', 'expiresAt', 'revokedAt'],
  {
    queries: {
      own: OWN,
      ofMerchant: OF_MERCHANT,
      byHash: 'key_hash = $1',
      presentByHash: 'key_hash = $1 and deleted_at is null',
      /** All other keys of a tenant that are in use. */
      inUseBeside: `merchant_id = $1 and environment = $2 and revoked_at is null and (expires_at is null or expires_at > $3)
        and deleted_at is null and id is distinct from $4`,
    },
  },
);

export const receiverAccounts = tableOf<ReceiverAccountRecord>()(
  'receiver_accounts',
  [...VERSIONED, ...OWNED, 'paymentMethod', 'msisdn', 'label', 'limits', 'isActive'],
  {
    json: ['limits'],
    queries: {
      own: OWN,
      ofMerchant: OF_MERCHANT,
      /** Includes deleted ones. */
      ofTenant: 'merchant_id = $1 and environment = $2',
      presentOfTenant: PRESENT_OF_TENANT,
      presentOfTenantById: 'id = any ($1::uuid[]) and merchant_id = $2 and environment = $3 and deleted_at is null',
      byNumber: 'merchant_id = $1 and environment = $2 and payment_method = $3 and msisdn = $4',
      activeInSandbox: `merchant_id = $1 and environment = 'SANDBOX' and is_active and deleted_at is null`,
      activeElsewhere: ACTIVE_ELSEWHERE,
      lockActiveElsewhere: `${ACTIVE_ELSEWHERE} order by id for update`,
    },
  },
);

export const devices = tableOf<DeviceRecord>()(
  'devices',
  [...VERSIONED, ...OWNED, 'name', 'keyHash', 'sims', 'hooks', 'isDisabled', 'allowsUnsignedTexts', 'pairedAt'],
  {
    json: ['sims', 'hooks'],
    queries: {
      own: OWN,
      ofMerchant: OF_MERCHANT,
      presentOfTenant: PRESENT_OF_TENANT,
      enabled: 'merchant_id = $1 and environment = $2 and not is_disabled and deleted_at is null',
      byHash: 'key_hash = $1',
      byIdOrHash: 'id = $1 or key_hash = $2 order by (id = $1) desc nulls last limit 1',
    },
  },
);

export type OwnedKind = Exclude<RecordKind, 'merchant'>;

export const ownedTables: { readonly [Kind in OwnedKind]: VersionedTable<Records[Kind], 'own'> } = {
  user: users,
  api_key: apiKeys,
  receiver_account: receiverAccounts,
  device: devices,
};

export const tables: { readonly [Kind in RecordKind]: VersionedTable<Records[Kind]> } = {
  merchant: merchants,
  ...ownedTables,
};
