import { ServiceCallFailed } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { disableDevice } from '../src/devices/disable-device';
import { readMarks } from '../src/live-updates/read-marks';
import { aDevice, openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('the mark of the devices of a shop with more devices than one page of their list', () => {
  const DEVICES = 101;
  const OFFLINE_SECONDS = 180;
  const SEEN_AT = new Date('2026-11-21T10:00:00.000Z');
  const nobody = {
    request: () => Promise.reject(new ServiceCallFailed('unavailable', 'intent-api', 'no answer')),
  };
  let service: ServiceUnderTest;
  let shop: Shop;
  let oldest: string;

  beforeAll(async () => {
    service = await startService();
    shop = await openShop(service);
    oldest = await aDevice(shop);
    for (let count = 1; count < DEVICES; count += 1) await aDevice(shop);
  });
  afterAll(() => service.stop());

  async function markAfter(seconds: number): Promise<string | undefined> {
    const now = () => new Date(SEEN_AT.getTime() + seconds * 1_000);
    const deps = { db: service.db, now, offlineSeconds: OFFLINE_SECONDS, intentApi: nobody, reconciler: nobody };
    return (await readMarks(deps, { merchantId: shop.merchantId, environment: 'SANDBOX' })).devices;
  }

  it('changes when the oldest device goes offline, and not before', async () => {
    await service.db.query('insert into device_sightings (device_id, seen_at, sends_heartbeat) values ($1, $2, true)', [
      oldest,
      SEEN_AT,
    ]);
    const before = await markAfter(1);

    expect(await markAfter(2)).toBe(before);
    expect(await markAfter(OFFLINE_SECONDS + 1)).not.toBe(before);
  });

  it('changes when the oldest device is disabled', async () => {
    const before = await markAfter(0);

    await service.change((deps, tx) => disableDevice(deps, tx, { deviceId: oldest, isDisabled: true }));

    expect(await markAfter(0)).not.toBe(before);
  });
});
