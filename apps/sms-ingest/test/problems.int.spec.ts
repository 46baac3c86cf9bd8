import { problemsSchema, type Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { findProblems } from '../src/alerts/problem-repository';
import { aPhone, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('problems of phones', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const problemsOf = (tenant: Tenant, kinds: readonly string[], ...others: readonly Tenant[]) =>
    service.asDashboard.request('POST', '/internal/v1/problems', {
      schema: problemsSchema,
      body: { tenants: [tenant, ...others], kinds },
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

    expect(await problemsOf(tenant, ['device_silent'])).toEqual({
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

    expect((await problemsOf(tenant, ['sms_missing'])).problems).toEqual([
      { ...tenant, kind: 'sms_missing', subject: 'all', name: null, count: 2, since: expect.any(String) },
    ]);
    expect((await problemsOf({ ...tenant, environment: 'SANDBOX' }, ['sms_missing'])).problems).toEqual([]);
  });

  describe('are payments by SMS that were passed over', () => {
    const KINDS = ['payment_doubtful'];
    /** A text of the tenant; returns the id of its payment intent. */
    async function aText(tenant: Tenant, status: string, age: string | null, texts = 1): Promise<string> {
      const intentId = uuidv7();
      await service.db.execute(
        `insert into sms_events (id, merchant_id, environment, device_id, sender, received_at, ingested_at, parser_version, provider,
           direction, payment_method, provider_time, parsed_amount, parsed_trx_id, status, payment_intent_id, passed_over_at)
         select gen_random_uuid(), $1, $2, gen_random_uuid(), 'bKash', now(), now(), '1', 'BKASH', 'IN', 'BKASH_SEND_MONEY', now(),
           100, 'DKL9TEXT01', $3, $4, now() - $5::interval from generate_series(1, $6::int)`,
        [tenant.merchantId, tenant.environment, status, intentId, age, texts],
      );
      return intentId;
    }
    const found = async (tenant: Tenant, kinds: readonly string[]) =>
      (await problemsOf(tenant, kinds)).problems.map(({ kind, subject, count }) => [kind, subject, count]);

    it('for a day, each payment once, and not those of texts that have not paid', async () => {
      const { tenant } = await aLivePhone();
      const paid = await aText(tenant, 'MATCHED', '1 hour', 2);
      const byPerson = await aText(tenant, 'MANUALLY_RESOLVED', '2 hours');
      await aText(tenant, 'MATCHED', '25 hours');
      await aText(tenant, 'MATCHED', null);
      for (const status of ['MATCH_PENDING', 'FAILED', 'REJECTED']) await aText(tenant, status, '1 hour');

      expect(await found(tenant, KINDS)).toEqual([
        ['payment_doubtful', byPerson, 1],
        ['payment_doubtful', paid, 1],
      ]);
      expect(await found({ ...tenant, environment: 'SANDBOX' }, KINDS)).toEqual([]);
    });

    it('only for a caller that names the kind, whatever other kinds it names', async () => {
      const { deviceId, tenant } = await aLivePhone();
      await seen(deviceId, tenant, 'now(), now(), false');
      const intentId = await aText(tenant, 'MATCHED', '1 hour');

      expect(await found(tenant, ['device_silent'])).toEqual([['device_silent', deviceId, 1]]);
      expect(await found(tenant, ['of_a_later_version', ...KINDS])).toEqual([['payment_doubtful', intentId, 1]]);
    });

    it('however many texts a payment has, and incompletely if there are more than 100 payments', async () => {
      const { tenant } = await aLivePhone();
      const oldest = await aText(tenant, 'MATCHED', '3 hours', 101);
      const newest = await aText(tenant, 'MATCHED', '1 hour');
      const both = [oldest, newest].map((subject) => expect.objectContaining({ subject }) as unknown);
      expect(await problemsOf(tenant, KINDS)).toEqual({ problems: both, isComplete: true });

      for (let payment = 2; payment < 100; payment++) await aText(tenant, 'MATCHED', '2 hours');
      const atLimit = await problemsOf(tenant, KINDS);
      expect([atLimit.problems.length, atLimit.isComplete]).toEqual([100, true]);
      await aText(tenant, 'MATCHED', '10 minutes');
      const { tenant: other } = await aLivePhone();
      const ofOther = await aText(other, 'MATCHED', '5 minutes');
      const above = await problemsOf(tenant, KINDS, other);
      expect([above.problems.length, above.isComplete]).toEqual([101, false]);
      expect(above.incomplete).toEqual([{ ...tenant, kind: 'payment_doubtful' }]);
      expect(above.problems.at(-1)).toMatchObject({ ...other, subject: ofOther });
      expect((await problemsOf(tenant, ['device_silent'])).isComplete).toBe(true);
    });

    it('found by their index among many texts', async () => {
      const { tenant } = await aLivePhone();
      await aText(tenant, 'MATCHED', null, 20_000);
      await aText(tenant, 'MATCHED', '2 days', 200);
      await service.db.execute('analyze sms_events');
      const plan: string[] = [];
      const explaining: Queryable = {
        ...service.db,
        query: async (sql, values) => {
          const text = `explain (analyze, timing off) ${typeof sql === 'string' ? sql : sql.text}`;
          const lines = await service.db.query<{ 'QUERY PLAN': string }>(text, values);
          plan.push(...lines.map((line) => line['QUERY PLAN']));
          return [];
        },
      };
      await findProblems(explaining, [tenant], KINDS);

      const readings = plan.filter((line) => / on sms_events\b/.test(line));
      expect(readings).toEqual([expect.stringMatching(/using sms_events_doubtful_payments .*actual rows=0/)]);
    });
  });
});
