import {
  apiKeyScopeSchema,
  paymentMethodSchema,
  type Environment,
  type PaymentMethod,
  type Tenant,
} from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { addReceiverAccount } from '../receivers/add-receiver-account';
import { attachReceivers } from '../devices/attach-receivers';
import { changeMerchant } from '../merchants/change-merchant';
import { connectDevice } from '../devices/connect-device';
import { createMerchant } from '../merchants/create-merchant';
import { createUser } from '../people/create-user';
import { lockSeeding } from './seed-lock-repository';
import { apiKeys, devices, merchants, receiverAccounts, users } from '../db/tables';
import { issueApiKey } from '../api-keys/issue-api-key';
import { Refusal } from '../changes/refusal';
import { replaceDeviceKey } from '../devices/replace-device-key';
import type { SeedAccess, SeedFile, SeedMerchant } from './seed-file';
import { setPassword } from '../sign-in/set-password';
import type { ChangeDeps } from '../changes/store-change';

export interface SeededAccess {
  readonly apiKeyId: string;
  readonly deviceId: string;
  readonly receivers: readonly {
    readonly id: string;
    readonly paymentMethod: PaymentMethod;
    readonly msisdn: string;
  }[];
}
export interface SeededMerchant {
  readonly id: string;
  readonly ownerId: string;
  readonly sandbox: SeededAccess;
  readonly live: SeededAccess;
}

/** Existing merchants are not changed, so that seeding can be repeated. */
export async function seedMerchants(
  deps: ChangeDeps,
  tx: Transaction,
  seed: SeedFile,
): Promise<{ merchants: SeededMerchant[] }> {
  await lockSeeding(tx);
  const seeded: SeededMerchant[] = [];
  for (const merchant of seed.merchants) seeded.push(await seedMerchant(deps, tx, merchant));
  return { merchants: seeded };
}

async function seedMerchant(deps: ChangeDeps, tx: Transaction, seed: SeedMerchant): Promise<SeededMerchant> {
  const email = seed.owner.email.toLowerCase();
  const owner = await users.findBy(tx, 'byEmail', [email]);
  const id = await seedItself(deps, tx, seed, owner?.merchantId);
  if (owner !== undefined && owner.merchantId !== id)
    throw new Refusal('owner', `${email} belongs to another merchant`);
  const ownerId =
    owner?.id ?? (await createUser(deps, tx, { ...seed.owner, merchantId: id, name: seed.name, role: 'OWNER' })).userId;
  if (owner) await setPassword(deps, tx, { userId: owner.id, password: seed.owner.password });
  const seedAccess = (environment: Environment, access: SeedAccess) =>
    seedTenant(deps, tx, { merchantId: id, environment }, access, seed.name);
  return { id, ownerId, sandbox: await seedAccess('SANDBOX', seed.sandbox), live: await seedAccess('LIVE', seed.live) };
}

async function seedItself(
  deps: ChangeDeps,
  tx: Transaction,
  seed: SeedMerchant,
  ofOwner: string | undefined,
): Promise<string> {
  const id = seed.id ?? ofOwner;
  const known = id === undefined ? undefined : await merchants.find(tx, id);
  if (known === undefined) {
    const { name, support, branding } = seed;
    const input = { id, name, enabledMethods: paymentMethodSchema.options, support, branding };
    return (await createMerchant(deps, tx, input)).merchantId;
  }
  await changeMerchant(deps, tx, { merchantId: known.id, change: { name: seed.name } });
  return known.id;
}

async function seedTenant(
  deps: ChangeDeps,
  tx: Transaction,
  tenant: Tenant,
  seed: SeedAccess,
  name: string,
): Promise<SeededAccess> {
  const apiKeyId = await seedApiKey(deps, tx, tenant, seed.apiKey);
  const receivers: SeededAccess['receivers'][number][] = [];
  for (const { paymentMethod, msisdn } of seed.receivers) {
    const values = [tenant.merchantId, tenant.environment, paymentMethod, msisdn];
    const known = await receiverAccounts.findBy(tx, 'byNumber', values);
    const id = known?.id ?? (await addReceiverAccount(deps, tx, { tenant, paymentMethod, msisdn })).receiverAccountId;
    receivers.push({ id, paymentMethod, msisdn });
  }
  const receiverAccountIds = receivers.map((receiver) => receiver.id);
  return { apiKeyId, deviceId: await seedDevice(deps, tx, tenant, seed, receiverAccountIds, name), receivers };
}

async function seedApiKey(deps: ChangeDeps, tx: Transaction, tenant: Tenant, apiKey: string): Promise<string> {
  const known = await apiKeys.findBy(tx, 'byHash', [hashKey(apiKey)]);
  if (known === undefined) {
    const input = { tenant, name: 'Seeded key', scopes: apiKeyScopeSchema.options, apiKey };
    return (await issueApiKey(deps, tx, input)).apiKeyId;
  }
  assertOwnedBy(tenant, known, 'apiKey');
  return known.id;
}

async function seedDevice(
  deps: ChangeDeps,
  tx: Transaction,
  tenant: Tenant,
  { deviceId, deviceKey }: SeedAccess,
  receiverAccountIds: readonly string[],
  name: string,
): Promise<string> {
  const known = await devices.findBy(tx, 'byIdOrHash', [deviceId ?? null, hashKey(deviceKey)]);
  if (known === undefined) {
    const sims = [{ simSlot: null, receiverAccountIds: [...receiverAccountIds] }];
    return (await connectDevice(deps, tx, { tenant, id: deviceId, name: `Phone of ${name}`, sims, deviceKey }))
      .deviceId;
  }
  assertOwnedBy(tenant, known, 'deviceKey');
  await replaceDeviceKey(deps, tx, { deviceId: known.id, deviceKey });
  await attachReceivers(deps, tx, { deviceId: known.id, simSlot: null, receiverAccountIds });
  return known.id;
}

function assertOwnedBy(tenant: Tenant, owned: Tenant, field: string): void {
  if (owned.merchantId !== tenant.merchantId || owned.environment !== tenant.environment) {
    throw new Refusal(field, 'it belongs to another merchant or environment');
  }
}
