import { randomUUID } from 'node:crypto';
import type { Operation } from '@pay/contracts';
import { eventually, promptly, type EventuallyOptions } from '@pay/testing';
import { ControlPlane } from '../src/control-plane';
import { isAccepted, operationsBehind } from '../src/credential-acceptance';
import { PublicApi } from '../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { ServiceDatabases } from '../src/service-databases';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const BOUND_MS = 2_000;

interface Credential {
  readonly operations: readonly Operation[];
  readonly key: string;
}

/**
 * All operations of a credential are requested continuously, so that every service answers from memory when the change
 * comes.
 */
describe('a change in the control plane takes effect in every service in less than two seconds', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl, 64);
  const databases = new ServiceDatabases(system);
  let merchant: OwnMerchant;

  beforeAll(async () => {
    merchant = await ownMerchant(system, controlPlane);
  });

  afterAll(async () => {
    await api.close();
    await databases.close();
  });

  const tenant = () => ({ merchant: merchant.id, environment: 'SANDBOX' });
  const apiKeys = () => ({ operations: operationsBehind('apiKey'), key: merchant.sandbox.apiKey });
  const devices = () => ({ operations: operationsBehind('deviceKey'), key: merchant.sandbox.deviceKey });

  /** When each operation first answered so; requests continue until all of them do. */
  async function answered(
    { operations, key }: Credential,
    accepted: boolean,
    options?: EventuallyOptions,
  ): Promise<readonly Date[]> {
    return Promise.all(
      operations.map((operation) =>
        eventually(
          async () => (await isAccepted(api, operation, key)) === accepted && new Date(),
          `${operation.id} ${accepted ? 'accepts the key' : 'refuses the key'}`,
          options,
        ),
      ),
    );
  }

  async function expectAll({ operations, key }: Credential, accepted: boolean): Promise<void> {
    const answers = await Promise.all(operations.map((operation) => isAccepted(api, operation, key)));
    expect(answers).toEqual(operations.map(() => accepted));
  }

  const longest = (moments: readonly Date[], since: Date) =>
    Math.max(...moments.map((moment) => moment.getTime() - since.getTime()));

  /** The row contains a time just before its commit, so the measured duration is rather too long than too short. */
  async function changedAt(table: 'merchants' | 'api_keys' | 'devices' | 'receiver_accounts', id: string) {
    const sql = `select updated_at from dashboard_api.${table} where id = $1`;
    const { rows } = await databases.query<{ updated_at: Date }>('dashboard-api', sql, [id]);
    return rows[0]?.updated_at as Date;
  }

  /** Milliseconds until the change had its effect everywhere. */
  async function effectOf(
    change: { command: string; options: Record<string, string>; row: Parameters<typeof changedAt> },
    credentials: readonly Credential[],
    accepted: boolean,
  ): Promise<number> {
    for (const credential of credentials) await expectAll(credential, !accepted);
    const [moments] = await Promise.all([
      Promise.all(credentials.map((credential) => answered(credential, accepted))),
      controlPlane.run(change.command, change.options),
    ]);
    for (const credential of credentials) await expectAll(credential, accepted);
    return longest(moments.flat(), await changedAt(...change.row));
  }

  test('there is something to try: operations of API keys and of device keys', () => {
    const services = [...operationsBehind('apiKey'), ...operationsBehind('deviceKey')].map(({ service }) => service);
    expect(new Set(services)).toEqual(new Set(['intent-api', 'webhook-dispatcher', 'sms-ingest']));
  });

  test('an API key is locked, and unlocked', async () => {
    const { apiKeyId } = merchant.sandbox;
    const change = (locked: string) => ({ command: 'lock-api-key', options: { key: apiKeyId, locked } });

    await promptly(BOUND_MS, async () => {
      const locked = await effectOf({ ...change('true'), row: ['api_keys', apiKeyId] }, [apiKeys()], false);
      const unlocked = await effectOf({ ...change('false'), row: ['api_keys', apiKeyId] }, [apiKeys()], true);
      return Math.max(locked, unlocked);
    });
  });

  test('a device is disabled, and enabled', async () => {
    const { deviceId } = merchant.sandbox;
    const change = (disabled: string) => ({ command: 'disable-device', options: { device: deviceId, disabled } });

    await promptly(BOUND_MS, async () => {
      const disabled = await effectOf({ ...change('true'), row: ['devices', deviceId] }, [devices()], false);
      const enabled = await effectOf({ ...change('false'), row: ['devices', deviceId] }, [devices()], true);
      return Math.max(disabled, enabled);
    });
  });

  test('a merchant is switched off with its keys and devices, and on', async () => {
    const { id } = merchant;
    const change = (active: string) => ({ command: 'set-merchant', options: { merchant: id, active } });

    const everything = [apiKeys(), devices()];
    await promptly(BOUND_MS, async () => {
      const off = await effectOf({ ...change('false'), row: ['merchants', id] }, everything, false);
      const on = await effectOf({ ...change('true'), row: ['merchants', id] }, everything, true);
      return Math.max(off, on);
    });
  });

  test('a new API key works immediately, and another until it expires', async () => {
    const startedAt = Date.now();
    const fresh = await controlPlane.run<{ apiKey: string }>('issue-api-key', tenant());
    await expectAll({ operations: operationsBehind('apiKey'), key: fresh.apiKey }, true);
    // Long enough for a key to be issued and tried before it ends, on a machine as slow as this one is now.
    let patienceMs = 2 * (Date.now() - startedAt) + 1_000;
    const tooShort = () => {
      patienceMs *= 2;
      return Infinity;
    };
    await promptly(BOUND_MS, async () => {
      const expires = new Date(Date.now() + patienceMs);
      const options = { ...tenant(), expires: expires.toISOString() };
      const issued = await controlPlane.run<{ apiKey: string }>('issue-api-key', options).catch((error: unknown) => {
        // The expiry may pass before the command runs.
        if (Date.now() < expires.getTime()) throw error;
      });
      if (issued === undefined) return tooShort();
      const { apiKey } = issued;

      const credential = { operations: operationsBehind('apiKey'), key: apiKey };
      const worked = await Promise.all(credential.operations.map((operation) => isAccepted(api, operation, apiKey)));
      if (worked.includes(false)) {
        expect(Date.now()).toBeGreaterThanOrEqual(expires.getTime());
        return tooShort();
      }
      const moments = await answered(credential, false, { timeoutMs: patienceMs + 25_000 });

      for (const moment of moments) expect(moment.getTime()).toBeGreaterThanOrEqual(expires.getTime());
      return longest(moments, expires);
    });
  });

  test('a new device works immediately', async () => {
    const { deviceKey } = await controlPlane.run<{ deviceKey: string }>('connect-device', tenant());

    await expectAll({ operations: operationsBehind('deviceKey'), key: deviceKey }, true);
  });

  test('an API key is revoked, in its environment alone', async () => {
    await promptly(BOUND_MS, async () => {
      const { apiKeyId, apiKey: key } = await controlPlane.run<Record<'apiKeyId' | 'apiKey', string>>(
        'issue-api-key',
        tenant(),
      );
      const credential = { operations: operationsBehind('apiKey'), key };
      const change = { command: 'revoke-api-key', options: { key: apiKeyId } };
      return effectOf({ ...change, row: ['api_keys', apiKeyId] }, [credential], false);
    });

    await expectAll({ ...apiKeys(), key: merchant.live.apiKey }, true);
  });

  test('a receiver account is closed: nothing new is to be paid there, and no customer can choose it', async () => {
    const closed = merchant.live.receivers.find(({ paymentMethod }) => paymentMethod === 'NAGAD_CASHOUT');
    const id = closed?.id ?? '';
    const create = (fields: object) =>
      api.createIntent(merchant.live, { amount: 10, idempotencyKey: randomUUID(), ...fields });
    const open = await create({ ttlSeconds: 3_600 });
    const choices = async () =>
      (await api.call<{ paymentMethods: string[] }>('GET', `/v1/checkout/${open.body.id}`, {})).body.paymentMethods;
    expect(await choices()).toContain('NAGAD_CASHOUT');
    expect((await create({ paymentMethod: 'NAGAD_CASHOUT' })).status).toBe(201);

    const isOffered = async () => (await choices()).includes('NAGAD_CASHOUT');
    await promptly(BOUND_MS, async () => {
      await controlPlane.run('set-receiver-account', { receiver: id, active: 'true' });
      const takes = async () => (await create({ paymentMethod: 'NAGAD_CASHOUT' })).status === 201;
      await eventually(async () => (await takes()) && (await isOffered()), 'it is open');
      const [refusedAt, goneAt] = await Promise.all([
        eventually(
          async () => (await create({ paymentMethod: 'NAGAD_CASHOUT' })).status === 422 && new Date(),
          'no intent is made for it',
        ),
        eventually(async () => !(await isOffered()) && new Date(), 'no customer can choose it'),
        controlPlane.run('set-receiver-account', { receiver: id, active: 'false' }),
      ]);
      return longest([refusedAt, goneAt], await changedAt('receiver_accounts', id));
    });
    expect((await choices()).length).toBe(merchant.live.receivers.length - 1);
  });
});
