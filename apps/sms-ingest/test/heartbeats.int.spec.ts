import { deviceLastSeenSchema, type DeviceFact } from '@pay/contracts';
import { newCredential } from '@pay/directory';
import { hashKey, type ServiceClient } from '@pay/http';
import { draft } from '@pay/messaging';
import type { Queryable, Statement } from '@pay/persistence';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { countPresences } from '../src/devices/device-silence-repository';
import { followDisabledDevices } from '../src/devices/follow-disabled-devices';
import { deviceMetrics, silenceRound } from '../src/devices/notice-silence';
import {
  aPhone,
  phoneApi,
  startService,
  type PhoneUnderTest,
  type ServiceGiven,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

describe('the heartbeat of a phone', () => {
  let service: ServiceUnderTest;
  let phone: PhoneUnderTest;
  /** A service for all tests of a block, and a phone for each. */
  const serve = (given?: ServiceGiven): void => {
    beforeAll(async () => {
      service = await startService(given);
    });
    afterAll(() => service.stop());
    beforeEach(async () => {
      phone = await aPhone(service.db, { environment: 'LIVE' });
    });
  };

  const heartbeat = (body: unknown = {}, of = phone) => phoneApi(service.url, of.deviceKey).heartbeat(body);
  const lastSeenOf = async ({ deviceId, merchantId, environment }: Omit<PhoneUnderTest, 'deviceKey' | 'accounts'>) =>
    (
      await service.asDashboard.request('GET', `/internal/v1/devices/${deviceId}`, {
        schema: deviceLastSeenSchema,
        tenant: { merchantId, environment },
      })
    ).sighting;
  const age = (seconds: number, of = phone) =>
    service.db.execute(
      `update device_sightings set seen_at = seen_at - $2 * interval '1 second', heartbeat_at = heartbeat_at - $2 * interval '1 second'
     where device_id = $1`,
      [of.deviceId, seconds],
    );

  describe('POST /v1/devices/heartbeat', () => {
    serve();

    it('returns settings to the phone, publishes device.seen, and stores the values for the dashboard', async () => {
      const said = {
        batteryPercent: 41,
        isCharging: false,
        appVersion: '1.4.2',
        queueDepth: 3,
        simSlots: [1, 2],
        lastSmsAt: '2026-11-21T09:58:00.000Z',
      };

      const { status, body } = await heartbeat({ ...said, ofTomorrow: true });

      expect({ status, body }).toEqual({
        status: 200,
        body: { serverTime: expect.any(String), status: 'ONLINE', nextHeartbeatSeconds: 60, reread: [] },
      });
      expect(Math.abs(Date.parse(body.serverTime) - Date.now())).toBeLessThan(60_000);
      await eventually(async () => {
        const events = await service.announced();
        return events.some((event) => event.type === 'device.seen' && event.data.deviceId === phone.deviceId);
      }, 'the phone is announced');
      const published = (await service.announced()).find((event) => event.aggregateId === phone.deviceId);
      expect(published?.data).toMatchObject({ sendsHeartbeat: true });
      expect(await lastSeenOf(phone)).toMatchObject({
        deviceId: phone.deviceId,
        sendsHeartbeat: true,
        lastHeartbeat: { ...said, at: body.serverTime },
      });
    });

    it('stores one row per phone with the newest values when many arrive concurrently', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, queueDepth) => heartbeat({ queueDepth })));
      await heartbeat({ queueDepth: 7 });

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await lastSeenOf(phone))?.lastHeartbeat).toMatchObject({ queueDepth: 7, batteryPercent: null });
    });

    it('names every invalid field', async () => {
      const wrong = {
        batteryPercent: 101,
        isCharging: 'yes',
        appVersion: 1,
        queueDepth: -1,
        lastSmsAt: 'now',
        simSlots: 1,
      };

      const { status, body } = await heartbeat(wrong);

      expect(status).toBe(400);
      const named = (body.message as string[]).map((sentence) => sentence.split(' ')[0]);
      expect(named).toEqual(Object.keys(wrong));
    });

    it('is not visible to another merchant or environment', async () => {
      await heartbeat();

      expect(await lastSeenOf({ ...phone, merchantId: uuidv7() })).toBeNull();
      expect(await lastSeenOf({ ...phone, environment: 'SANDBOX' })).toBeNull();
    });

    it('answers 401 without a key or for a disabled phone, on every route of phones', async () => {
      const disabled = await aPhone(service.db, { isDisabled: true });
      for (const key of [undefined, disabled.deviceKey]) {
        const api = phoneApi(service.url, key);
        const answers = [await api.heartbeat({}), await api.watermark(), await api.compare([])];
        expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
      }
      expect(await lastSeenOf(disabled)).toBeNull();
    });
  });

  describe('the silence of a phone', () => {
    /** The devices that only dashboard-api knows, by the path of their look-up. */
    const ofOwner = new Map<string, DeviceFact>();
    const request: ServiceClient['request'] = (_method, path, { schema }) =>
      Promise.resolve(schema.parse({ device: ofOwner.get(path) ?? null }));
    // Both would take, or hold for a moment, the rows that a test's own replicas are to find.
    serve({ without: ['silent-devices', 'device-announcements'], dashboardApi: { request } });
    const OFFLINE = 180;
    const ALERT = 300;
    const DAY_SECONDS = 86_400;

    /** One replica that has been listening for an hour. */
    function aReplica() {
      let at = 0;
      const lines: Record<string, unknown>[] = [];
      const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
      const log = createLogger({ service: 'sms-ingest', level: 'info', destination });
      const metrics = deviceMetrics(createMetrics('sms-ingest'));
      const settings = { offlineSeconds: OFFLINE, alertSeconds: ALERT };
      const round = silenceRound({ db: service.db, log, metrics, clock: () => at, ...settings });
      at = 3_600_000;
      return {
        round,
        metrics,
        published: () =>
          lines.filter(({ deviceId }) => deviceId === phone.deviceId).map(({ msg, level }) => ({ msg, level })),
        wentOffline: async () => (await metrics.wentOffline.get()).values.reduce((sum, { value }) => sum + value, 0),
        gauge: async (which: 'online' | 'silent') =>
          (await metrics[which].get()).values.find(({ labels }) => labels.environment === 'LIVE')?.value,
      };
    }

    beforeEach(() => service.db.execute('delete from device_sightings'));

    it('is counted once by two replicas after three minutes, logged once after five, and ends with the next contact', async () => {
      const [one, other] = [aReplica(), aReplica()];
      const both = () => Promise.all([one.round(), other.round()]);
      const counted = async () => (await one.wentOffline()) + (await other.wentOffline());
      await heartbeat();

      await age(OFFLINE - 60);
      await both();
      expect(await counted()).toBe(0);
      expect(await one.gauge('online')).toBe(1);

      await age(70);
      for (let times = 0; times < 5; times += 1) await both();
      expect(await counted()).toBe(1);
      expect([...one.published(), ...other.published()]).toEqual([]);
      expect([await one.gauge('online'), await one.gauge('silent')]).toEqual([0, 1]);

      await age(ALERT - OFFLINE);
      for (let times = 0; times < 5; times += 1) await both();
      expect([...one.published(), ...other.published()]).toEqual([{ msg: 'device.silent', level: 'warn' }]);

      await heartbeat();
      await both();
      await both();
      expect([...one.published(), ...other.published()].filter(({ msg }) => msg === 'device.back')).toHaveLength(1);
      expect([await one.gauge('online'), await one.gauge('silent')]).toEqual([1, 0]);
      expect(await counted()).toBe(1);
    });

    it('is shown for seven days', async () => {
      const replica = aReplica();
      await heartbeat();
      await age(6.9 * DAY_SECONDS);
      await replica.round();
      expect([await replica.gauge('online'), await replica.gauge('silent')]).toEqual([0, 1]);

      await age(0.2 * DAY_SECONDS);
      await replica.round();

      expect([await replica.gauge('online'), await replica.gauge('silent')]).toEqual([0, 0]);
    });

    it('reads only devices of seven days for the metric', async () => {
      await service.db.execute(
        `insert into device_sightings (device_id, merchant_id, environment, seen_at, heartbeat_at, announced_at, offline_at)
         select gen_random_uuid(), gen_random_uuid(), 'LIVE', at, at, now(), at + interval '3 minutes'
         from generate_series(1, 1000) n cross join lateral (select now() - n * interval '1 day' as at) seen`,
      );
      const plans: string[] = [];
      const explaining = {
        query: async ({ text }: Statement, values: readonly unknown[]) => {
          const plan = await service.db.query<{ 'QUERY PLAN': string }>(
            `explain (analyze, timing off) ${text}`,
            values,
          );
          plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
          return [];
        },
      } as unknown as Queryable;

      await countPresences(explaining, OFFLINE);

      const read = [...plans.join('\n').matchAll(/actual rows=([\d.]+)|Rows Removed by Filter: (\d+)/g)];
      expect(plans).toEqual([expect.stringContaining('Index Scan using device_sightings_offline')]);
      expect(Math.max(...read.map(([, found, removed]) => Number(found ?? removed)))).toBeLessThanOrEqual(7);
    });

    it('is ignored after a start and after a failed round, when heartbeats may have been missed', async () => {
      let at = 0;
      let isAway = false;
      const db = {
        query: (...given: Parameters<typeof service.db.query>) =>
          isAway ? Promise.reject(new Error('away')) : service.db.query(...given),
        execute: service.db.execute.bind(service.db),
      } as typeof service.db;
      const replica = aReplica();
      const round = silenceRound({
        db,
        log: createLogger({ service: 'sms-ingest', level: 'silent' }),
        metrics: replica.metrics,
        clock: () => at,
        offlineSeconds: OFFLINE,
        alertSeconds: ALERT,
      });
      await heartbeat();
      await age(OFFLINE + 1);

      await round();
      at = OFFLINE * 1_000 - 1;
      await round();
      isAway = true;
      await expect(round()).rejects.toThrow('away');
      isAway = false;
      at += OFFLINE * 1_000 - 1;
      await round();
      expect(await replica.wentOffline()).toBe(0);

      at += 1;
      await round();
      expect(await replica.wentOffline()).toBe(1);
    });

    it('is ignored for a forwarder without heartbeats, a disabled device and a merchant that is switched off', async () => {
      const replica = aReplica();
      const [plain, disabled, ofClosed] = [
        await aPhone(service.db),
        await aPhone(service.db),
        await aPhone(service.db),
      ] as const;
      for (const each of [disabled, ofClosed]) await heartbeat({}, each);
      await service.db.execute(
        'insert into device_sightings (device_id, merchant_id, environment, seen_at) values ($1, $2, $3, now())',
        [plain.deviceId, plain.merchantId, plain.environment],
      );
      const stored = { version: 2, epoch: null, deleted: false, environment: null, lookup_key: null };
      await service.db.transaction((tx) =>
        followDisabledDevices(tx, [
          {
            kind: 'device',
            id: disabled.deviceId,
            merchant_id: disabled.merchantId,
            ...stored,
            data: { isDisabled: true } as never,
          },
          {
            kind: 'merchant',
            id: ofClosed.merchantId,
            merchant_id: ofClosed.merchantId,
            ...stored,
            data: { isActive: false } as never,
          },
        ]),
      );
      for (const each of [plain, disabled, ofClosed]) await age(ALERT + 1, each);

      await replica.round();
      await replica.round();

      expect(await replica.wentOffline()).toBe(0);
      expect(await service.db.query('select from device_sightings where offline_at is not null')).toHaveLength(0);
    });

    it('is noticed for a phone that was disabled, if its new key is looked up before the event of its device arrives', async () => {
      const replica = aReplica();
      const { deviceId: id, merchantId, environment } = phone;
      const owned = { id, merchantId, environment, deleted: false, name: 'counter phone', sims: [] };
      const device: DeviceFact = { ...owned, version: 2, keyHash: hashKey(phone.deviceKey), isDisabled: true };
      await heartbeat();
      const changed = { environment, merchantId, aggregateId: id, sequence: 2, occurredAt: new Date(), data: device };
      await service.db.transaction((tx) =>
        service.messaging.publish(tx, [draft('device.changed', changed)], { queue: 'sms-ingest.control' }),
      );
      await eventually(
        async () => (await service.db.query('select from device_sightings where is_disabled')).length === 1,
        'the device is disabled',
      );

      const deviceKey = newCredential('dk_live_');
      const keyHash = hashKey(deviceKey);
      ofOwner.set(`/internal/v1/devices/${keyHash}`, { ...device, version: 3, keyHash, isDisabled: false });
      expect(await heartbeat({}, { ...phone, deviceKey })).toMatchObject({ status: 200 });
      await age(ALERT + 1);
      await replica.round();

      expect(replica.published()).toEqual([{ msg: 'device.silent', level: 'warn' }]);
    });
  });
});
