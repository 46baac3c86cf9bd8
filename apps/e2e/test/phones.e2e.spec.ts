import { randomInt, randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../src/control-plane';
import { PublicApi } from '../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { RawApi } from '../src/raw-api';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

interface ShownPhone {
  readonly status: string;
  readonly lastSeenAt: string | null;
  readonly lastHeartbeat: { readonly batteryPercent: number } | null;
}

describe('a phone, from its pairing to its end', () => {
  const system = readSystem(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const raw = new RawApi(system.baseUrl);
  let merchant: OwnMerchant;
  let session: Record<string, string>;

  beforeAll(async () => {
    merchant = await ownMerchant(system, new ControlPlane(RUN_DIRECTORY));
    const token = await raw.signIn(merchant.owner.email, merchant.owner.password);
    session = { authorization: `Bearer ${token}` };
  });
  afterAll(async () => {
    await api.close();
    await raw.close();
  });

  const make = async (what: string, fields: Record<string, unknown>) => {
    const made = await api.call<{ id: string }>('POST', `/v1/dashboard/${what}`, session, {
      environment: 'LIVE',
      ...fields,
    });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const newReceiver = async () =>
    (
      await api.createIntent(merchant.live, {
        amount: 50,
        idempotencyKey: randomUUID(),
        paymentMethod: 'BKASH_SEND_MONEY',
      })
    ).body.receiverMsisdn;

  test('its wallet is shown to customers while it is the only online phone, and a disabled phone is refused', async () => {
    const msisdn = `017${randomInt(10_000_000, 99_999_999)}`;
    const wallet = await make('receiver-accounts', { paymentMethod: 'BKASH_SEND_MONEY', msisdn });
    const sims = [{ simSlot: 1, receiverAccountIds: [wallet] }];
    const phone = await make('devices', { name: 'New phone', sims });
    const shown = async () => (await api.call<ShownPhone>('GET', `/v1/dashboard/devices/${phone}`, session)).body;
    expect(await shown()).toMatchObject({ status: 'UNKNOWN', lastSeenAt: null, lastHeartbeat: null });

    // As the phone reads it from the QR.
    const begun = await api.call<{ qrPayload: string }>('POST', `/v1/dashboard/devices/${phone}/pairing`, session);
    const { url, path, pairingId, code } = JSON.parse(begun.body.qrPayload) as Record<string, string>;
    expect(url).toBe(system.baseUrl);
    const paired = await api.call<{ deviceKey: string }>('POST', path ?? '', {}, { pairingId, code });
    const key = { 'x-device-key': paired.body.deviceKey };
    const beat = await api.call('POST', '/v1/devices/heartbeat', key, { batteryPercent: 41 });

    expect(beat).toMatchObject({ status: 200, body: { status: 'ONLINE', reread: [] } });
    await eventually(
      async () => (await newReceiver()) === msisdn && (await newReceiver()) === msisdn,
      'customers are shown the wallet of the phone that is online',
    );
    await eventually(async () => (await shown()).status === 'ONLINE', 'the dashboard shows it online');
    expect((await shown()).lastHeartbeat).toMatchObject({ batteryPercent: 41 });

    await api.call('POST', `/v1/dashboard/devices/${phone}/disable`, session);
    const attempts = () =>
      Promise.all([
        api.call('POST', '/v1/devices/heartbeat', key, {}),
        api.call('GET', '/v1/devices/watermark', key),
        api.call('POST', '/v1/devices/watermark', key, { messages: [] }),
        api.call('POST', '/v1/sms-events/incoming', key, { messages: [] }),
      ]);
    await eventually(
      async () => (await attempts()).every(({ status }) => status === 401),
      'the disabled phone is refused everywhere',
    );
    expect((await shown()).status).toBe('DISABLED');
  });
});
