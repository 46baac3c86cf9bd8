import type { ApiKeyFact, DeviceFact, MerchantFact, ReceiverAccountFact } from '@pay/contracts';
import type { ApiKeyRecord, DeviceRecord, MerchantRecord, ReceiverAccountRecord, Records } from './records';

/** Facts contain the full state, without names and times that other services do not need. */
export function merchantFact(record: MerchantRecord): MerchantFact {
  const { name, isActive, enabledMethods, evidenceRules, branding, checkout, support } = record;
  return {
    ...versionOf(record),
    name,
    isActive,
    enabledMethods: [...enabledMethods],
    evidenceRules,
    branding,
    checkout,
    support,
  };
}

export function apiKeyFact(record: ApiKeyRecord): ApiKeyFact {
  const { keyHash, scopes, isLocked, expiresAt, revokedAt } = record;
  return {
    ...versionOf(record),
    ...ownerOf(record),
    keyHash,
    scopes: [...scopes],
    isLocked,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

export function receiverAccountFact(record: ReceiverAccountRecord): ReceiverAccountFact {
  const { paymentMethod, msisdn, isActive, limits } = record;
  return { ...versionOf(record), ...ownerOf(record), paymentMethod, msisdn, isActive, limits };
}

export function deviceFact(record: DeviceRecord): DeviceFact {
  const { name, keyHash, isDisabled, allowsUnsignedTexts, sims } = record;
  const hooks = record.hooks.map(({ createdAt: _createdAt, ...hook }) => hook);
  return {
    ...versionOf(record),
    ...ownerOf(record),
    name,
    keyHash,
    isDisabled,
    sims: [...sims],
    hooks,
    allowsUnsignedTexts,
  };
}

function versionOf({ id, version, deletedAt }: Records[keyof Records]) {
  return { id, version, deleted: deletedAt !== null };
}

function ownerOf({ merchantId, environment }: ApiKeyRecord | ReceiverAccountRecord | DeviceRecord) {
  return { merchantId, environment };
}
