import type { Queryable, Statement, Transaction } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import {
  knownMessages,
  messageDays,
  newestMessage,
  noteDeviceRepeats,
  oldRepeats,
} from '../src/devices/device-message-repository';
import * as devices from '../src/devices/device-last-seen-repository';
import { countPresences, markAlerted, markBack, markOffline } from '../src/devices/device-silence-repository';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();
jest.setTimeout(120_000);

const DEVICES = 20_000;
const MESSAGES = 30_000;

describe(`with ${DEVICES} devices and ${MESSAGES} messages`, () => {
  const tenant = { merchantId: uuidv7(), environment: 'LIVE' } as const;
  const device = uuidv7();
  const played = new Map<string, readonly unknown[]>();
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService();
    await service.db.transaction(async (tx) => {
      await tx.execute(
        `insert into device_sightings (device_id, merchant_id, environment, seen_at, heartbeat_at, announced_at, offline_at)
         select gen_random_uuid(), gen_random_uuid(), 'LIVE', at, case when n % 100 = 0 then at end, now(), case when n % 200 = 0 then now() end
         from generate_series(1, $1::int) n cross join lateral (select now() - n * interval '1 second' as at) seen`,
        [DEVICES],
      );
      await tx.execute(
        `insert into sms_events (id, merchant_id, environment, device_id, sender, received_at, ingested_at, parser_version, status, client_message_id)
         select gen_random_uuid(), $1, 'LIVE', case when n % 100 = 0 then $2::uuid else gen_random_uuid() end, 'bKash',
           now() - n * interval '1 minute', now(), '1', 'UNPARSED', n::text
         from generate_series(1, $3::int) n`,
        [tenant.merchantId, device, MESSAGES],
      );
      await tx.execute(
        `insert into device_repeats select gen_random_uuid(), now() - n * interval '1 minute', n::text, 1 from generate_series(1, $1::int) n`,
        [MESSAGES],
      );
    });
    await service.db.execute('analyze device_sightings, sms_events, device_repeats');
    await service.db.transaction(playEverything);
  });
  afterAll(() => service.stop());

  async function playEverything(tx: Transaction): Promise<void> {
    const note = (sql: Statement | string, values: readonly unknown[] = []) =>
      void played.set(typeof sql === 'string' ? sql : sql.text, values);
    const noting: Queryable = {
      query: (sql, values) => (note(sql, values), tx.query(sql, values)),
      execute: (sql, values) => (note(sql, values), tx.execute(sql, values)),
    };
    const recorded: Transaction = {
      ...noting,
      enqueue: (sql, values, read) => {
        note(sql, values);
        tx.enqueue(sql, values, read);
      },
      onCommit: (hook) => tx.onCommit(hook),
    };
    const now = new Date();
    const facts = {
      batteryPercent: 1,
      isCharging: null,
      appVersion: null,
      queueDepth: null,
      lastSmsAt: null,
      simSlots: null,
    };
    await devices.storeLastSeen(recorded, [{ deviceId: device, ...tenant, ageMs: 0, isHeartbeat: false }]);
    await devices.storeDeviceHeartbeats(recorded, [{ deviceId: device, ...tenant, facts }]);
    await devices.takeUnannounced(recorded, 60_000, 500);
    await devices.findLastSeen(recorded, tenant, device);
    devices.setDisabled(recorded, [{ id: device, isOff: false }]);
    devices.setMerchantOff(recorded, [{ id: tenant.merchantId, isOff: false }]);
    await markBack(recorded, 180);
    await markOffline(recorded, 20_000);
    await markAlerted(recorded, 20_000);
    await countPresences(recorded, 180);
    await messageDays(recorded, device, new Date(now.getTime() - 86_400_000));
    await newestMessage(recorded, device);
    await knownMessages(recorded, device, [now.toISOString().slice(0, 10)], ['100']);
    await noteDeviceRepeats(recorded, [{ deviceId: device, receivedAt: now, clientMessageId: 'x', simSlot: 1 }]);
    await oldRepeats(new Date(now.getTime() - 20 * 86_400_000)).deleteBatch(recorded, null, 10);
  }

  const lines = (rows: readonly { 'QUERY PLAN': string }[]) => rows.map((row) => row['QUERY PLAN']).join('\n');
  const SCAN = /Seq Scan on (?:device_sightings|sms_events|device_repeats)/;

  it('no statement scans a table with the default planner settings', async () => {
    await service.db.transaction(async (tx) => {
      for (const setting of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
        await tx.execute(`set local enable_${setting} = on`);
      for (const [text, values] of played) expect(lines(await tx.query(`explain ${text}`, values))).not.toMatch(SCAN);
    });
    expect(played.size).toBe(15);
  });

  it('no generic plan scans a table', async () => {
    await service.db.transaction(async (tx) => {
      let number = 0;
      for (const [text, values] of played) {
        const name = `kept_${(number += 1)}`;
        await tx.execute(`prepare ${name} as ${text}`);
        const nulls = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`;
        expect(lines(await tx.query(`explain execute ${name}${nulls}`))).not.toMatch(/Seq Scan on/);
        await tx.execute(`deallocate ${name}`);
      }
    });
  });
});
