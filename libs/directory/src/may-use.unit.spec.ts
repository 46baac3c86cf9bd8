import type { ApiKeyFact, DeviceFact, MerchantFact } from '@pay/contracts';
import { mayUseApiKey, mayUseDevice } from './may-use';

const NOW = new Date('2026-11-21T10:00:00Z');
const owned = {
  id: '0193-key',
  version: 1,
  deleted: false,
  merchantId: '0193-merchant',
  environment: 'LIVE' as const,
  keyHash: 'ab',
};
const key: ApiKeyFact = { ...owned, scopes: [], isLocked: false, expiresAt: null, revokedAt: null };
const device: DeviceFact = { ...owned, name: 'Counter phone', isDisabled: false, sims: [] };
const merchant: MerchantFact = {
  id: '0193-merchant',
  version: 1,
  deleted: false,
  name: 'Shop',
  isActive: true,
  enabledMethods: [],
};

describe('mayUseApiKey', () => {
  it.each<[string, Partial<ApiKeyFact>, boolean]>([
    ['a plain key', {}, true],
    ['a key that expires later', { expiresAt: '2026-11-21T10:00:00.001Z' }, true],
    ['a key that expires now', { expiresAt: '2026-11-21T10:00:00Z' }, false],
    ['a locked key', { isLocked: true }, false],
    ['a revoked key', { revokedAt: '2026-11-21T09:00:00Z' }, false],
    ['a key revoked by a clock ahead of ours', { revokedAt: '2026-11-21T10:00:05Z' }, false],
    ['a deleted key', { deleted: true }, false],
  ])('%s: %j is %s', (_name, change, expected) => {
    expect(mayUseApiKey({ ...key, ...change }, merchant, NOW)).toBe(expected);
  });

  it('refuses all keys of a merchant that is switched off or deleted, and accepts a key of an unknown merchant', () => {
    expect(mayUseApiKey(key, { ...merchant, isActive: false }, NOW)).toBe(false);
    expect(mayUseApiKey(key, { ...merchant, deleted: true }, NOW)).toBe(false);
    expect(mayUseApiKey(key, undefined, NOW)).toBe(true);
  });
});

describe('mayUseDevice', () => {
  it.each<[string, Partial<DeviceFact>, Partial<MerchantFact>, boolean]>([
    ['a connected device', {}, {}, true],
    ['a disabled device', { isDisabled: true }, {}, false],
    ['a deleted device', { deleted: true }, {}, false],
    ['a device of a merchant that is switched off', {}, { isActive: false }, false],
  ])('%s', (_name, change, merchantChange, expected) => {
    expect(mayUseDevice({ ...device, ...change }, { ...merchant, ...merchantChange })).toBe(expected);
  });
});
