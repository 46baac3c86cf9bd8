import { problemsSchema, type Tenant } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { aPhone, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('problems of phones', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const problemsOf = (tenant: Tenant) =>
    service.asDashboard.request('POST', '/internal/v1/problems', {
      schema: problemsSchema,
      body: { tenants: [tenant] },
    });
  const aLivePhone = async () => {
    const { deviceId, merchantId } = await aPhone(service.db, { environment: 'LIVE' });
    return { deviceId, tenant: { merchantId, environment: 'LIVE' as const } };
  };
  const seen = (deviceId: string, { merchantId, environment }: Tenant, marks: string) =>
    service.db.execute(
      `insert into device_sightings (device_id, merchant_id, environment, seen_at, heartbeat_at, offline_at, alerted_at, is_disabled)
       select $1, $2, $3, now() - interval '9 minutes', now() - interval '9 minutes', ${marks}`,
      [deviceId, merchantId, environment],
    );

  it('are devices that were noticed as silent and are not disabled', async () => {
    const { deviceId, tenant } = await aLivePhone();
    await seen(deviceId, tenant, 'now(), now(), false');
    const others = [await aLivePhone(), await aLivePhone(), await aLivePhone()] as const;
    await seen(others[0].deviceId, tenant, 'now(), null, false');
    await seen(others[1].deviceId, tenant, 'now(), now(), true');
    await seen(others[2].deviceId, others[2].tenant, 'now(), now(), false');

    expect(await problemsOf(tenant)).toEqual({
      problems: [
        { ...tenant, kind: 'device_silent', subject: deviceId, name: null, count: 1, since: expect.any(String) },
      ],
      isComplete: true,
    });
  });

  it('are missing SMS that were found within a day and are still open', async () => {
    const { tenant } = await aLivePhone();
    const gap = (status: string, age: string, explained = 'null') =>
      service.db.execute(
        `insert into missing_sms (id, merchant_id, environment, chain_id, msisdn, receiver_account_ids, direction, amount, missing_from,
           missing_to, status, seen_at, found_at, explained_at, sms_event_id)
         values (gen_random_uuid(), $1, $2, gen_random_uuid(), '01700000900', '{}', 'IN', 100, now(), now(), $3, now(),
           now() - $4::interval, ${explained}, gen_random_uuid())`,
        [tenant.merchantId, tenant.environment, status, age],
      );
    await gap('OPEN', '1 hour');
    await gap('OPEN', '23 hours');
    await gap('OPEN', '25 hours');
    await gap('EXPLAINED', '1 hour', 'now()');
    await gap('SUSPECTED', '1 hour');

    expect((await problemsOf(tenant)).problems).toEqual([
      { ...tenant, kind: 'sms_missing', subject: 'all', name: null, count: 2, since: expect.any(String) },
    ]);
    expect((await problemsOf({ ...tenant, environment: 'SANDBOX' })).problems).toEqual([]);
  });
});
