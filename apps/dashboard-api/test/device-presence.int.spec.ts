import { draft } from '@pay/messaging';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { eventually, failOnLeaks } from '@pay/testing';
import { disableDevice } from '../src/devices/disable-device';
import { aDevice, openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('the state of a phone in the dashboard', () => {
  const HEARTBEAT = {
    batteryPercent: 41,
    isCharging: false,
    appVersion: '1.4.2',
    queueDepth: 3,
    simSlots: [1],
    lastSmsAt: '2026-11-21T09:58:00.000Z',
    at: '2026-11-21T10:00:00.000Z',
  };
  let service: ServiceUnderTest;
  let shop: Shop;
  let answer: () => Promise<unknown>;
  const asked: unknown[] = [];
  const smsIngest = {
    request: (method, path, { tenant }) => {
      asked.push({ method, path, tenant });
      return answer();
    },
  } as Pick<ServiceClient, 'request'>;

  beforeAll(async () => {
    service = await startService({ smsIngest });
    shop = await openShop(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    answer = () => Promise.resolve({ sighting: null });
  });

  const MINUTE_MS = 60_000;
  const get = async (id: string) => (await shop.people.VIEWER.get(`/v1/dashboard/devices/${id}`)).body;

  /** Publishes, like sms-ingest, when phones were seen. */
  async function seen(...seenDevices: { id: string; agoMs: number; sendsHeartbeat?: boolean }[]): Promise<void> {
    const events = seenDevices.map(({ id, agoMs, sendsHeartbeat = true }) => {
      const seenAt = new Date(Date.now() - agoMs).toISOString();
      const about = { environment: 'SANDBOX' as const, merchantId: shop.merchantId, aggregateId: id, sequence: 0 };
      return draft('device.seen', { ...about, occurredAt: new Date(), data: { deviceId: id, seenAt, sendsHeartbeat } });
    });
    await service.db.transaction((tx) => service.messaging.publish(tx, events));
  }

  it('is one of: never seen, online, offline, silent without heartbeats, disabled', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => aDevice(shop)));
    const [never, online, offline, plain, disabled] = ids as [string, string, string, string, string];
    await service.change((deps, tx) => disableDevice(deps, tx, { deviceId: disabled, isDisabled: true }));
    await seen(
      { id: online, agoMs: MINUTE_MS },
      { id: offline, agoMs: 4 * MINUTE_MS },
      { id: plain, agoMs: 4 * MINUTE_MS, sendsHeartbeat: false },
      { id: disabled, agoMs: 0 },
    );
    await eventually(async () => (await get(disabled)).lastSeenAt !== null, 'the phones were seen');

    const { body } = await shop.people.VIEWER.get('/v1/dashboard/devices?limit=100');

    const shown = new Map(body.data.map(({ id, status }: { id: string; status: string }) => [id, status]));
    expect(ids.map((id) => shown.get(id))).toEqual(['UNKNOWN', 'ONLINE', 'OFFLINE', 'UNKNOWN', 'DISABLED']);
    expect(await get(never)).toMatchObject({ status: 'UNKNOWN', lastSeenAt: null, lastHeartbeat: null });
  });

  it('keeps the newest sighting, whatever the order, and believes no clock that is ahead', async () => {
    const id = await aDevice(shop);
    await seen({ id, agoMs: 0 }, { id, agoMs: 10 * MINUTE_MS });
    await eventually(async () => (await get(id)).status === 'ONLINE', 'the phone was seen');
    const marker = await aDevice(shop);
    await seen({ id, agoMs: 10 * MINUTE_MS }, { id: marker, agoMs: -60 * MINUTE_MS });
    await eventually(async () => (await get(marker)).lastSeenAt !== null, 'what is older has come');

    expect((await get(id)).status).toBe('ONLINE');
    expect(Date.parse((await get(marker)).lastSeenAt)).toBeLessThanOrEqual(Date.now());
  });

  it('contains its last heartbeat, requested from sms-ingest for the tenant', async () => {
    const id = await aDevice(shop);
    const sighting = { deviceId: id, seenAt: HEARTBEAT.at, sendsHeartbeat: true, lastHeartbeat: HEARTBEAT };
    answer = () => Promise.resolve({ sighting });

    expect((await get(id)).lastHeartbeat).toEqual(HEARTBEAT);
    expect(asked.at(-1)).toEqual({
      method: 'GET',
      path: `/internal/v1/devices/${id}`,
      tenant: { merchantId: shop.merchantId, environment: 'SANDBOX' },
    });
  });

  it('has no heartbeat while sms-ingest is down', async () => {
    const id = await aDevice(shop);
    answer = () => Promise.reject(new ServiceCallFailed('unavailable', 'sms-ingest', 'no answer'));

    expect(await shop.people.VIEWER.get(`/v1/dashboard/devices/${id}`)).toMatchObject({
      status: 200,
      body: { id, lastHeartbeat: null },
    });
  });
});
