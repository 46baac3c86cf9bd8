import type { DeviceSeen, EventOf } from '@pay/contracts';
import { bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { announceDevicesSeen } from '../src/devices/announce-devices-seen';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('device.seen', () => {
  let service: ServiceUnderTest;
  let phone: PhoneUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    phone = await aPhone(service.db, { environment: 'LIVE' });
  });

  const api = () => phoneApi(service.url, phone.deviceKey);
  const anSms = () => ({
    sender: 'bKash',
    message: bkashSendMoneyText({ amount: '500' }),
    receivedAt: new Date().toISOString(),
  });
  const published = async () =>
    (await service.announced()).filter(
      (event): event is EventOf<'device.seen'> => event.type === 'device.seen' && event.aggregateId === phone.deviceId,
    );
  const seenAt = async () => {
    const sql = 'select seen_at from device_sightings where device_id = $1';
    return (await service.db.query<{ seen_at: Date }>(sql, [phone.deviceId]))[0]?.seen_at;
  };
  const announce = () => announceDevicesSeen({ ...service, now: () => new Date() });
  const age = (column: string, seconds: number) =>
    service.db.execute(
      `update device_sightings set ${column} = ${column} - $2 * interval '1 second' where device_id = $1`,
      [phone.deviceId, seconds],
    );

  it('is published once a minute for any number of SMS, single or in batches', async () => {
    const begun = Date.now();
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => api().incoming(index % 2 ? anSms() : { messages: [anSms()] })),
    );
    await eventually(async () => (await published()).length > 0, 'the phone is announced');
    // Every replica receives it again, and each of them would publish it.
    await service.db.execute('update device_sightings set seen_at = clock_timestamp() where device_id = $1', [
      phone.deviceId,
    ]);
    await Promise.all([announce(), announce(), announce()]);

    const [event, ...more] = await published();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ merchantId: phone.merchantId, environment: 'LIVE' });
    const data = event?.data as DeviceSeen;
    expect(data).toMatchObject({ deviceId: phone.deviceId, sendsHeartbeat: false });
    expect(Math.abs(Date.parse(data.seenAt) - begun)).toBeLessThan(60_000);
  });

  it('is published again after the minute with the latest time', async () => {
    await api().incoming(anSms());
    await eventually(async () => (await published()).length === 1, 'the phone is announced');
    await age('announced_at', 30);
    const later = new Date(Date.now() + 1_000);
    await service.db.execute('update device_sightings set seen_at = $2 where device_id = $1', [phone.deviceId, later]);
    await announce();
    expect(await published()).toHaveLength(1);

    await age('announced_at', 31);
    await Promise.all([announce(), announce(), announce()]);

    expect(await published()).toHaveLength(2);
    expect((await published())[1]?.data).toMatchObject({ seenAt: later.toISOString() });
  });

  it('needs no write for an SMS of a phone whose time was just stored', async () => {
    await api().incoming(anSms());
    const first = await eventually(seenAt, 'the phone is noted');
    await api().incoming(anSms());
    const other = await aPhone(service.db);
    await phoneApi(service.url, other.deviceKey).incoming(anSms());
    await eventually(
      async () =>
        (await service.db.query('select from device_sightings where device_id = $1', [other.deviceId])).length === 1,
      'whatever was to be noted is noted',
    );

    expect(await seenAt()).toEqual(first);
  });
});
