import { randomBytes } from 'node:crypto';
import type { Environment, EventOf, Problem, Problems, Tenant } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { Statement, Transaction } from '@pay/persistence';
import { createSecretBox } from '@pay/runtime';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { closeUnwatchedAlerts } from '../src/alerts/alert-repository';
import { checkAlerts, type ProblemServices } from '../src/alerts/check-alerts';
import { turnOnAlertsOfDoubtfulPayments } from '../src/db/migrations/20261128020000-turn-on-alerts-of-doubtful-payments';
import { createMailQueue } from '../src/mails/mail-queue';
import type { Mail } from '../src/mails/mail-transport';
import { aDevice, openShop, type Shop } from './dashboard-under-test';
import { quietLog, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const MINUTE_MS = 60_000;
const SINCE = '2026-11-24T03:00:00.000Z';

/** A service with problems that a test sets. */
class KnownProblems {
  problems: Problem[] = [];
  isComplete = true;
  incomplete: Problems['incomplete'];
  isDown = false;
  readonly asked: Tenant[] = [];
  kinds: unknown;

  readonly request = ((_method, path, { schema, body }) => {
    expect(path).toBe('/internal/v1/problems');
    if (this.isDown) return Promise.reject(new ServiceCallFailed('unavailable', 'sms-ingest', 'no answer'));
    const { tenants, kinds } = body as { tenants: Tenant[]; kinds: unknown };
    this.asked.push(...tenants);
    this.kinds = kinds;
    const { problems, isComplete, incomplete } = this;
    return Promise.resolve(schema.parse({ problems, isComplete, incomplete } satisfies Problems));
  }) as ServiceClient['request'];
}

describe('alerts of merchants', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  let time = new Date('2026-11-24T04:00:00.000Z').getTime();
  let services: Record<keyof ProblemServices, KnownProblems>;
  let mailed: Mail[];
  const mails = {
    add: (_tx: unknown, mail: Mail) => {
      mailed.push(mail);
      return Promise.resolve();
    },
  };

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    shop = await openShop(service);
    services = {
      smsIngest: new KnownProblems(),
      reconciler: new KnownProblems(),
      webhookDispatcher: new KnownProblems(),
    };
    mailed = [];
  });

  const deps = () => ({
    db: service.db,
    services,
    mails,
    messaging: service.messaging,
    log: quietLog,
    newId: uuidv7,
    now: () => new Date(time),
    dashboardUrl: 'https://pay.example/dashboard',
  });
  /** The next round, so much later. */
  async function round(laterMs = MINUTE_MS): Promise<void> {
    time += laterMs;
    await checkAlerts(deps());
  }
  const aProblem = (given: Partial<Problem> = {}): Problem => ({
    merchantId: shop.merchantId,
    environment: 'LIVE',
    kind: 'exceptions_waiting',
    subject: 'amount_differs',
    name: null,
    count: 2,
    since: SINCE,
    ...given,
  });
  const isOpen = ({ closedAt }: { readonly closedAt: string | null }) => closedAt === null;
  const aFailingEndpoint = () =>
    aProblem({ kind: 'endpoint_failing', subject: uuidv7(), name: 'shop.example', count: 1 });
  const alerts = async (environment: Environment = 'LIVE') =>
    (await shop.people.VIEWER.get(`/v1/dashboard/alerts?environment=${environment}`)).body.data;
  /** The events of this merchant's alerts, in the order of their publication. */
  async function published(): Promise<EventOf<'alert.opened' | 'alert.closed'>[]> {
    const sql = `select body from outbox where merchant_id = $1 and type like 'alert.%' order by seq`;
    const stored = await service.db.query<{ body: string }>(sql, [shop.merchantId]);
    return stored.map(({ body }) => JSON.parse(body));
  }
  const setKinds = (environment: Environment, kinds: readonly string[]) => call('PUT', { environment, kinds });
  async function call(method: string, body: unknown) {
    const token = await service.tokenOf(shop.people.ADMIN.userId);
    const response = await fetch(`${service.url}/v1/dashboard/alert-settings`, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    return { status: response.status, body: await response.json() };
  }

  it('is opened, mailed once to owners and admins, closed when the problem is gone, and opened again', async () => {
    services.reconciler.problems = [aProblem()];
    await round();
    const opened = time;
    await round();
    await round(60 * MINUTE_MS);

    expect(await alerts()).toEqual([
      expect.objectContaining({
        kind: 'exceptions_waiting',
        subject: 'amount_differs',
        count: 2,
        since: SINCE,
        closedAt: null,
        openedAt: new Date(opened).toISOString(),
        mailedAt: new Date(opened).toISOString(),
      }),
    ]);
    expect(mailed).toHaveLength(2);
    const sql = `select email from users where id = any ($1::uuid[]) order by email`;
    const managers = [shop.people.OWNER.userId, shop.people.ADMIN.userId];
    expect(mailed.map(({ to }) => to)).toEqual(
      (await service.db.query<{ email: string }>(sql, [managers])).map(({ email }) => email),
    );
    expect(mailed[0]?.subject).toContain('Boi Bazar: payments wait for a decision');
    expect(mailed[0]?.text).toContain('https://pay.example/dashboard/live/exceptions');

    services.reconciler.problems = [];
    await round();
    const closed = time;
    services.reconciler.problems = [aProblem({ count: 1 })];
    await round();

    expect((await alerts()).map(({ closedAt }: { closedAt: string | null }) => closedAt)).toEqual([
      null,
      new Date(closed).toISOString(),
    ]);
    expect(mailed).toHaveLength(4);
  });

  it('is published for webhooks once when it is opened, and once when it is closed', async () => {
    const endpoint = aFailingEndpoint();
    services.webhookDispatcher.problems = [endpoint];
    await round();
    const openedAt = new Date(time).toISOString();
    services.webhookDispatcher.problems = [{ ...endpoint, since: '2026-11-24T03:30:00.000Z' }];
    await round();
    await round(60 * MINUTE_MS);
    const [{ id }] = await alerts();
    const opened = {
      type: 'alert.opened',
      environment: 'LIVE',
      aggregateId: id,
      sequence: 1,
      occurredAt: openedAt,
      data: {
        alertId: id,
        kind: 'endpoint_failing',
        subject: endpoint.subject,
        name: 'shop.example',
        count: 1,
        since: SINCE,
        openedAt,
        closedAt: null,
      },
    };
    expect(await published()).toEqual([expect.objectContaining(opened)]);

    services.webhookDispatcher.problems = [];
    await round();
    await round();

    const closedAt = new Date(time - MINUTE_MS).toISOString();
    expect(await published()).toEqual([
      expect.objectContaining(opened),
      expect.objectContaining({
        type: 'alert.closed',
        environment: 'LIVE',
        aggregateId: id,
        sequence: 2,
        occurredAt: closedAt,
        data: { ...opened.data, since: '2026-11-24T03:30:00.000Z', closedAt },
      }),
    ]);
  });

  it('is mailed with the others that were opened, and at most every 15 minutes', async () => {
    services.webhookDispatcher.problems = [aFailingEndpoint()];
    services.smsIngest.problems = [aProblem({ kind: 'sms_missing', subject: 'all', count: 3 })];
    await round();
    expect(mailed).toHaveLength(2);
    expect(mailed[0]?.text).toContain('webhook endpoint at shop.\u2060example');
    expect(mailed[0]?.text).toContain('SMS about payments are missing: 3');

    services.webhookDispatcher.problems.push(aFailingEndpoint());
    services.reconciler.problems = [aProblem()];
    await round();
    expect(mailed).toHaveLength(2);
    await round(15 * MINUTE_MS);
    expect(mailed).toHaveLength(4);
    expect(mailed[2]?.text).not.toContain('SMS about payments are missing');
    expect(mailed[2]?.text.match(/webhook endpoint at shop\.\u2060example/g)).toHaveLength(1);
  });

  it('of a doubtful payment is one per payment, on by default, and mailed and published with the payment', async () => {
    const intentIds = [uuidv7(), uuidv7()];
    const problems = intentIds.map((subject) => aProblem({ kind: 'payment_doubtful', subject, count: 1 }));
    services.smsIngest.problems = problems;
    await round();

    expect(services.smsIngest.kinds).toEqual(['device_silent', 'sms_missing', 'payment_doubtful']);
    expect((await alerts()).map(({ kind, subject }: Problem) => [kind, subject]).sort()).toEqual(
      intentIds.map((subject) => ['payment_doubtful', subject]).sort(),
    );
    expect(mailed[0]?.subject).toContain('Boi Bazar: payment is doubtful');
    for (const id of intentIds) expect(mailed[0]?.text).toContain(`https://pay.example/dashboard/live/payments/${id}`);
    expect((await published()).map(({ data }) => data.subject).sort()).toEqual(intentIds.sort());

    await setKinds('LIVE', ['sms_missing']);
    await round();
    expect((await published()).map(({ type }) => type)).toEqual([
      ...['alert.opened', 'alert.opened', 'alert.closed', 'alert.closed'],
    ]);
  });

  it('of a phone has the name of the phone', async () => {
    const deviceId = await aDevice(shop, 'LIVE');
    services.smsIngest.problems = [aProblem({ kind: 'device_silent', subject: deviceId, count: 1 })];
    await round();

    const { name } = (await shop.people.VIEWER.get(`/v1/dashboard/devices/${deviceId}`)).body;
    expect(await alerts()).toEqual([expect.objectContaining({ kind: 'device_silent', subject: deviceId, name })]);
    expect(mailed[0]?.text).toContain(`The phone "${name}" has been silent since 24 November 2026 at 09:00 (Dhaka)`);
  });

  it('is neither closed nor opened while its service does not answer, which fails the round after the other services', async () => {
    const endpoint = aFailingEndpoint();
    services.webhookDispatcher.problems = [endpoint];
    services.reconciler.problems = [aProblem()];
    await round();
    services.smsIngest.isDown = true;
    services.webhookDispatcher.isDown = true;
    services.reconciler.problems = [];

    await expect(round()).rejects.toThrow(ServiceCallFailed);

    expect((await alerts()).filter(isOpen)).toEqual([expect.objectContaining({ subject: endpoint.subject })]);
  });

  it('is not closed by an incomplete answer', async () => {
    services.webhookDispatcher.problems = [aFailingEndpoint()];
    await round();
    services.webhookDispatcher.isComplete = false;
    services.webhookDispatcher.problems = [];
    await round();
    expect((await alerts()).filter(isOpen)).toHaveLength(1);
    services.webhookDispatcher.isComplete = true;
    await round();
    expect((await alerts()).filter(isOpen)).toEqual([]);
  });

  it('is closed for all tenants and kinds except those of which the answer is incomplete', async () => {
    const other = await openShop(service);
    const payment = { kind: 'payment_doubtful', count: 1 } as const;
    const ofShop = aProblem({ ...payment, subject: uuidv7() });
    const ofOther = aProblem({ ...payment, subject: uuidv7(), merchantId: other.merchantId });
    services.smsIngest.problems = [ofShop, ofOther, aProblem({ kind: 'sms_missing', subject: 'all' })];
    await round();
    services.smsIngest.problems = [];
    services.smsIngest.isComplete = false;
    services.smsIngest.incomplete = [{ merchantId: shop.merchantId, environment: 'LIVE', kind: 'payment_doubtful' }];
    await round();

    const open = await service.db.query<{ subject: string }>(
      'select subject from merchant_alerts where merchant_id = any ($1::uuid[]) and closed_at is null',
      [[shop.merchantId, other.merchantId]],
    );
    expect(open).toEqual([{ subject: ofShop.subject }]);
  });

  it('follow the settings: all in LIVE and none in SANDBOX by default, and open alerts of a disabled kind are closed', async () => {
    const [inLive, inSandbox] = [aProblem(), aProblem({ environment: 'SANDBOX' })];
    services.reconciler.problems = [inLive, inSandbox];
    await round();
    expect([await alerts(), await alerts('SANDBOX')]).toEqual([[expect.anything()], []]);
    const own = services.reconciler.asked.filter(({ merchantId }) => merchantId === shop.merchantId);
    expect(own).toEqual([{ merchantId: shop.merchantId, environment: 'LIVE' }]);

    await setKinds('LIVE', ['device_silent']);
    await setKinds('SANDBOX', ['exceptions_waiting']);
    await round();
    expect(await alerts()).toEqual([expect.objectContaining({ closedAt: new Date(time).toISOString() })]);
    expect(await alerts('SANDBOX')).toEqual([expect.objectContaining({ closedAt: null })]);
    expect((await published()).map(({ type, environment }) => [type, environment])).toEqual([
      ...[
        ['alert.opened', 'LIVE'],
        ['alert.closed', 'LIVE'],
        ['alert.opened', 'SANDBOX'],
      ],
    ]);
    expect(mailed.at(-1)?.text).toContain('https://pay.example/dashboard/sandbox/exceptions');
  });

  it('is sent once by two replicas, in one round and in separate rounds', async () => {
    services.reconciler.problems = [aProblem()];
    time += MINUTE_MS;
    await Promise.all([checkAlerts(deps()), checkAlerts(deps())]);
    expect(services.reconciler.asked.filter(({ merchantId }) => merchantId === shop.merchantId)).toHaveLength(1);
    expect(mailed).toHaveLength(2);

    services.webhookDispatcher.problems = [aFailingEndpoint()];
    time += 20 * MINUTE_MS;
    const another = checkAlerts(deps());
    await service.db.execute(`update alert_rounds set next_at = '-infinity'`);
    await Promise.all([another, checkAlerts(deps())]);
    expect(await alerts()).toHaveLength(2);
    expect(mailed).toHaveLength(4);
    expect(await published()).toHaveLength(2);
  });

  it('is opened although a replica whose clock was a day ahead has made the last round', async () => {
    services.reconciler.problems = [aProblem()];
    await round(24 * 60 * MINUTE_MS);
    time -= 24 * 60 * MINUTE_MS;
    services.webhookDispatcher.problems = [aFailingEndpoint()];

    await round();

    expect(await alerts()).toHaveLength(2);
  });

  it('is closed with the settings without comparing each open alert with all watched tenants', async () => {
    const [openAlerts, tenants] = [200, 300];
    await service.db.execute(
      `insert into merchant_alerts (id, merchant_id, environment, kind, subject, count, since, opened_at)
       select gen_random_uuid(), $1, 'LIVE', case when n % 2 = 0 then 'endpoint_failing' else 'device_silent' end, n::text, 1, now(), now()
       from generate_series(1, $2::int) n`,
      [shop.merchantId, openAlerts],
    );
    const watched = Array.from({ length: tenants }, () => ({ merchantId: uuidv7(), environment: 'LIVE' as const }));
    const kinds = ['device_silent'] as const;
    const rows: number[] = [];
    const explaining = (tx: Transaction) =>
      ({
        query: async ({ text }: Statement, values: readonly unknown[]) => {
          const plan = await tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, values);
          for (const { 'QUERY PLAN': line } of plan) {
            const [, found, loops] = /actual rows=([\d.]+) loops=(\d+)/.exec(line) ?? [, 0, 0];
            rows.push(Number(found) * Number(loops));
          }
          return [];
        },
      }) as unknown as Transaction;

    await service.db.transaction((tx) =>
      closeUnwatchedAlerts(
        explaining(tx),
        [...watched, { merchantId: shop.merchantId, environment: 'LIVE' as const }].map((each) => ({ ...each, kinds })),
        new Date(time),
      ),
    );

    const closed = (await alerts()).filter(({ closedAt }: { closedAt: string | null }) => closedAt !== null);
    expect(new Set(closed.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['endpoint_failing']));
    expect(rows.length).toBeGreaterThan(0);
    expect(Math.max(...rows)).toBeLessThanOrEqual(openAlerts + tenants);
  });

  it('is not about merchants that are switched off', async () => {
    services.reconciler.problems = [aProblem()];
    await service.db.execute('update merchants set is_active = false, version = version + 1 where id = $1', [
      shop.merchantId,
    ]);
    await round();
    expect(mailed).toEqual([]);
  });

  it('changes settings with an entry in the audit log, and refuses kinds that do not exist', async () => {
    const path = '/v1/dashboard/alert-settings?environment=';
    expect((await shop.people.VIEWER.get(`${path}SANDBOX`)).body).toEqual({ environment: 'SANDBOX', kinds: [] });
    expect(await setKinds('LIVE', ['sms_missing', 'device_silent'])).toEqual({
      status: 200,
      body: { environment: 'LIVE', kinds: ['device_silent', 'sms_missing'] },
    });
    expect((await shop.people.VIEWER.get(`${path}LIVE`)).body.kinds).toEqual(['device_silent', 'sms_missing']);
    expect((await setKinds('LIVE', ['weather'])).status).toBe(400);
    const { body } = await call('PUT', {
      environment: 'LIVE',
      kinds: { sms_missing: false, exceptions_waiting: true },
    });
    expect(body).toEqual({ environment: 'LIVE', kinds: ['device_silent', 'exceptions_waiting'] });
    expect(await service.audited(shop.merchantId)).toContainEqual(
      expect.objectContaining({
        action: 'alert_settings.changed',
        actor: `user:${shop.people.ADMIN.userId}`,
        environment: 'LIVE',
        after: { kinds: ['device_silent', 'sms_missing'] },
      }),
    );
  });

  it('of a doubtful payment is turned on by a migration where alerts of LIVE were chosen before it existed', async () => {
    const kindsOf = async (environment: Environment) =>
      (await shop.people.VIEWER.get(`/v1/dashboard/alert-settings?environment=${environment}`)).body.kinds;
    const migrated = async () => {
      await service.db.execute(turnOnAlertsOfDoubtfulPayments.sql);
      return [await kindsOf('LIVE'), await kindsOf('SANDBOX')];
    };

    await setKinds('LIVE', ['sms_missing']);
    await setKinds('SANDBOX', ['sms_missing']);
    expect(await migrated()).toEqual([['sms_missing', 'payment_doubtful'], ['sms_missing']]);
    expect(await migrated()).toEqual([['sms_missing', 'payment_doubtful'], ['sms_missing']]);
    await setKinds('LIVE', []);
    expect(await migrated()).toEqual([[], ['sms_missing']]);
  });

  it('waits sealed in the mail queue, in the transaction that marks it as mailed', async () => {
    services.reconciler.problems = [aProblem()];
    const box = createSecretBox([{ id: 'k1', key: randomBytes(32) }], 'mail');
    const queue = createMailQueue({ box, now: () => new Date(time), newId: uuidv7 });
    let added = 0;
    const failing = {
      add: async (...given: Parameters<typeof queue.add>) => {
        await queue.add(...given);
        added += 1;
        if (added === 2) throw new Error('the database is gone');
      },
    };
    time += MINUTE_MS;
    await expect(checkAlerts({ ...deps(), mails: failing })).rejects.toThrow('the database is gone');

    expect(await alerts()).toEqual([expect.objectContaining({ mailedAt: null })]);
    expect(await service.db.query('select id from mails')).toEqual([]);
    await round();
    expect(mailed).toHaveLength(2);
  });
});
