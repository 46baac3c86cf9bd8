import type {
  ApiKeyRecord,
  DeviceRecord,
  MerchantRecord,
  ReceiverAccountRecord,
  Records,
  UserRecord,
} from '../domain/records';
import { VersionedTable } from './versioned-table';

const versioned = {
  id: 'id',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  deletedAt: 'deleted_at',
};
const owned = { merchantId: 'merchant_id', environment: 'environment' };

export const merchants = new VersionedTable<MerchantRecord>(
  'merchants',
  {
    ...versioned,
    name: 'name',
    isActive: 'is_active',
    enabledMethods: 'enabled_methods',
    evidenceRules: 'evidence_rules',
    branding: 'branding',
    checkout: 'checkout',
    support: 'support',
  },
  ['evidenceRules', 'branding', 'checkout', 'support'],
);

export const users = new VersionedTable<UserRecord>('users', {
  ...versioned,
  merchantId: 'merchant_id',
  email: 'email',
  name: 'name',
  role: 'role',
  passwordHash: 'password_hash',
  isActive: 'is_active',
});

export const apiKeys = new VersionedTable<ApiKeyRecord>('api_keys', {
  ...versioned,
  ...owned,
  name: 'name',
  keyHash: 'key_hash',
  lastFour: 'last_four',
  scopes: 'scopes',
  isLocked: 'is_locked',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
});

export const receiverAccounts = new VersionedTable<ReceiverAccountRecord>(
  'receiver_accounts',
  {
    ...versioned,
    ...owned,
    paymentMethod: 'payment_method',
    msisdn: 'msisdn',
    label: 'label',
    limits: 'limits',
    isActive: 'is_active',
  },
  ['limits'],
);

export const devices = new VersionedTable<DeviceRecord>(
  'devices',
  {
    ...versioned,
    ...owned,
    name: 'name',
    keyHash: 'key_hash',
    sims: 'sims',
    hooks: 'hooks',
    isDisabled: 'is_disabled',
    allowsUnsignedTexts: 'allows_unsigned_texts',
    pairedAt: 'paired_at',
  },
  ['sims', 'hooks'],
);

export const tables: { readonly [Kind in keyof Records]: VersionedTable<Records[Kind]> } = {
  merchant: merchants,
  user: users,
  api_key: apiKeys,
  receiver_account: receiverAccounts,
  device: devices,
};
