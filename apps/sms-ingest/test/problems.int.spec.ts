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
      incomplete: [],
    });
  });

  describe('are silent devices of many tenants', () => {
    const KINDS = ['device_silent'];
    const aTenant = (): Tenant => ({ merchantId: uuidv7(), environment: 'LIVE' });
    /** The first was seen first. */
    const silent = async ({ merchantId, environment }: Tenant, count: number) => {
      const rows = await service.db.query<{ id: string }>(
        `insert into device_sightings (device_id, merchant_id, environment, seen_at, heartbeat_at, offline_at, alerted_at)
         select gen_random_uuid(), $1, $2, now() - (1000 + $3::int - nr) * interval '1 minute', now(), now(), now()
         from generate_series(1, $3::int) nr returning device_id as id`,
        [merchantId, environment, count],
      );
      return rows.map(({ id }) => id);
    };

    it('at most the 100 last seen of a tenant, which does not affect the others', async () => {
      const [tenant, other] = [aTenant(), aTenant()];
      const ids = await silent(tenant, 5_001);
      const [ofOther] = await silent(other, 1);

      const { problems, ...rest } = await problemsOf(tenant, KINDS, other);

      const found = (whose: Tenant) => problems.filter((each) => each.merchantId === whose.merchantId);
      expect(found(tenant).map(({ subject }) => subject)).toEqual(ids.slice(-100).reverse());
      expect(found(other)).toEqual([expect.objectContaining({ subject: ofOther })]);
      expect(rest).toEqual({ isComplete: false, incomplete: [{ ...tenant, kind: 'device_silent' }] });
    });

    it('of every tenant when there are more than fit into one answer, which names the tenants with more', async () => {
      const many = Array.from({ length: 60 }, aTenant);
      const few = Array.from({ length: 60 }, aTenant);
      for (const tenant of many) await silent(tenant, 100);
      for (const tenant of few) await silent(tenant, 1);
      const [first, ...others] = [...many, ...few] as [Tenant, ...Tenant[]];

      const { problems, isComplete, incomplete } = await problemsOf(first, KINDS, ...others);

      expect([problems.length, isComplete]).toEqual([5_000, false]);
      const countOf = ({ merchantId }: Tenant) => problems.filter((each) => each.merchantId === merchantId).length;
      expect(few.map(countOf)).toEqual(few.map(() => 1));
      const cut = many.filter((tenant) => countOf(tenant) < 100);
      expect(incomplete).toHaveLength(cut.length);
      expect(incomplete).toEqual(expect.arrayContaining(cut.map((tenant) => ({ ...tenant, kind: 'device_silent' }))));
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
        ['payment_doubtful', paid, 1],
        ['payment_doubtful', byPerson, 1],
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

    it('however many texts a payment has, and only the 100 latest payments', async () => {
      const { tenant } = await aLivePhone();
      const oldest = await aText(tenant, 'MATCHED', '3 hours', 101);
      const newest = await aText(tenant, 'MATCHED', '1 hour');
      const both = [newest, oldest].map((subject) => expect.objectContaining({ subject }) as unknown);
      expect(await problemsOf(tenant, KINDS)).toEqual({ problems: both, isComplete: true, incomplete: [] });

      for (let payment = 2; payment < 100; payment++) await aText(tenant, 'MATCHED', '2 hours');
      const atLimit = await problemsOf(tenant, KINDS);
      expect([atLimit.problems.length, atLimit.isComplete]).toEqual([100, true]);
      const latest = await aText(tenant, 'MATCHED', '10 minutes');
      const { tenant: other } = await aLivePhone();
      const ofOther = await aText(other, 'MATCHED', '5 minutes');
      const above = await problemsOf(tenant, KINDS, other);
      expect([above.problems.length, above.isComplete]).toEqual([101, false]);
      expect(above.incomplete).toEqual([{ ...tenant, kind: 'payment_doubtful' }]);
      const subjects = above.problems.map(({ subject }) => subject);
      expect(subjects).toEqual(expect.arrayContaining([ofOther, latest, newest]));
      expect(subjects).not.toContain(oldest);
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
