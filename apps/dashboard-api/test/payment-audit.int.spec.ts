import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { openDatabase, type Database } from '@pay/persistence';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks, type TestDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import { paymentAudit } from '../src/payment-audit/audit-payments';
import { auditWorker } from '../src/payment-audit/audit-worker';
import { findMismatches } from '../src/payment-audit/find-mismatches';
import { paymentAuditMetrics } from '../src/payment-audit/payment-audit-metrics';
import { migratedDatabase, quietLog } from './service-under-test';

failOnLeaks();

const TENANT = { merchantId: '0193a5f0-0000-7000-8000-000000000001', environment: 'LIVE' } as const;
const ID = '0193a5f0-0000-7000-8000-00000000000a';
const OWNER = '0193a5f0-0000-7000-8000-0000000000aa';
const START = new Date('2026-11-22T10:05:00Z');
const INTERVAL_MS = 30_000;

interface Stored {
  readonly paymentIntentId: string;
  readonly amount: string;
  readonly decidedAt: string;
}

/** Retention has deleted nothing. */
const ALWAYS = '2026-01-01T00:00:00.000Z';

/** A service that stores these payments and answers like the real one. */
class AuditedService implements Pick<ServiceClient, 'request'> {
  payments: Stored[] = [];
  missing: Stored[] = [];
  keptSince = ALWAYS;
  deliveriesKeptSince = ALWAYS;
  isDown = false;
  /** Whether a request for a range that begins then ends without an answer. */
  isLate: (from: string) => boolean = () => false;
  /** The ranges whose digests were requested. */
  readonly ranges: { readonly from: string; readonly to: string }[] = [];

  request<T>(_method: string, path: string, options?: { readonly body?: unknown }): Promise<T> {
    if (this.isDown) return Promise.reject(new ServiceCallFailed('unavailable', 'intent-api', 'no answer'));
    const url = new URL(path, 'http://service');
    const [from = '', to = ''] = ['from', 'to'].map((name) => url.searchParams.get(name) ?? '');
    if (this.isLate(from)) return Promise.reject(new ServiceCallFailed('unavailable', 'webhook-dispatcher', 'late'));
    if (url.pathname.endsWith('/find-payments')) {
      const { paymentIntentIds } = options?.body as { paymentIntentIds: string[] };
      const payments = this.payments.filter(({ paymentIntentId }) => paymentIntentIds.includes(paymentIntentId));
      return Promise.resolve({ payments } as T);
    }
    const inRange = (stored: readonly Stored[]) =>
      stored.filter(({ decidedAt }) => decidedAt >= from && decidedAt < to);
    const payments = inRange(this.payments);
    if (url.pathname.endsWith('/payments')) return Promise.resolve({ payments } as T);
    if (url.pathname.endsWith('/missing-deliveries')) {
      const missing = inRange(this.missing).map((each) => ({ ...TENANT, ...each }));
      return Promise.resolve({ payments: missing, keptSince: this.deliveriesKeptSince } as T);
    }
    this.ranges.push({ from, to });
    const digest = payments.map(({ paymentIntentId, amount }) => `${paymentIntentId}${amount}`).join();
    const digests = payments.length === 0 ? [] : [{ ...TENANT, payments: payments.length, amount: '1', digest }];
    return Promise.resolve({ digests, keptSince: this.keptSince } as T);
  }
}

describe('the payment audit', () => {
  let database: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    database = await migratedDatabase();
    const access = { url: database.url, poolSize: 2, applicationName: 'dashboard-api' };
    db = await openDatabase({ ...access, log: quietLog, migrations });
  });

  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  beforeEach(async () => {
    await db.execute('delete from payment_audit_findings');
    await db.execute(`update payment_audit set owner = null, leased_until = '-infinity', next_slice = null`);
  });

  function anAudit(owner = OWNER) {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    const log = createLogger({ service: 'dashboard-api', level: 'info', destination });
    const metrics = createMetrics('dashboard-api');
    const services = {
      reconciler: new AuditedService(),
      intentApi: new AuditedService(),
      webhookDispatcher: new AuditedService(),
    };
    const clock = { now: START };
    const deps = { db, services, owner, log, metrics: paymentAuditMetrics(metrics), now: () => clock.now };
    return {
      services,
      lines,
      clock,
      round: paymentAudit(deps),
      worker: (intervalSeconds: number) => auditWorker({ ...deps, intervalSeconds }),
      passInterval: () => (clock.now = new Date(clock.now.getTime() + INTERVAL_MS)),
      messages: () => lines.map(({ msg }) => msg),
      async findings(): Promise<number> {
        const text = await metrics.registry.metrics();
        const samples = [...text.matchAll(/^dashboard_payment_audit_findings\{.*\} (\d+)$/gm)];
        return samples.reduce((sum, [, value]) => sum + Number(value), 0);
      },
    };
  }

  const paidAt = (decidedAt: string): Stored => ({ paymentIntentId: ID, amount: '50000', decidedAt });

  it('reports a payment that is missing in the feed in the second round that sees it, with its ids', async () => {
    const { services, lines, round, passInterval, messages, findings } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-22T10:03:00.000Z')];
    services.intentApi.payments = [paidAt('2026-11-22T10:03:00.000Z')];

    await round();
    expect(messages()).toEqual([]);
    expect(await findings()).toBe(0);
    passInterval();
    await round();

    expect(lines).toMatchObject([
      { msg: 'payment_audit.mismatch_found', kind: 'missing_in_feed', paymentIntentId: ID, ...TENANT },
    ]);
    expect(await findings()).toBe(1);
  });

  it('reports a mismatch without a request, after as many intervals as it needs rounds', async () => {
    const { services, worker, passInterval, messages } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-22T10:03:00.000Z')];
    services.intentApi.payments = [paidAt('2026-11-22T10:03:00.000Z')];
    const stop = new AbortController();

    const running = worker(1).run(stop.signal);

    const isReported = () => messages().includes('payment_audit.mismatch_found');
    await eventually(() => (passInterval(), isReported()), 'the mismatch is reported');
    stop.abort();
    await running;
  });

  it('names a payment whose decision was lost, and is content when the reconciler has made it again later', async () => {
    const { services, clock, round, passInterval, messages, lines } = anAudit();
    const payment = paidAt('2026-11-22T10:03:00.000Z');
    services.intentApi.payments = [payment];
    services.webhookDispatcher.payments = [payment];
    await round();
    passInterval();
    await round();
    expect(lines).toMatchObject([{ msg: 'payment_audit.mismatch_found', kind: 'intent_without_decision' }]);

    clock.now = new Date('2026-11-22T10:25:00Z');
    services.reconciler.payments = [paidAt('2026-11-22T10:22:00.000Z')];
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await round();
      passInterval();
    }

    expect(messages()).toEqual(['payment_audit.mismatch_found', 'payment_audit.mismatch_resolved']);
  });

  it('compares the amount of a decision that was made again', async () => {
    const { services, round, passInterval, lines } = anAudit();
    const payment = paidAt('2026-11-22T10:03:00.000Z');
    services.intentApi.payments = [payment];
    services.webhookDispatcher.payments = [payment];
    services.reconciler.payments = [{ ...paidAt('2026-11-22T09:22:00.000Z'), amount: '1' }];
    await round();
    passInterval();
    await round();

    expect(lines).toMatchObject([{ msg: 'payment_audit.mismatch_found', kind: 'amount_differs' }]);
  });

  it('reports a mismatch at most two minutes after the decision', async () => {
    const { services, clock, round, passInterval, messages } = anAudit();
    services.reconciler.payments = [paidAt(START.toISOString())];

    while (messages().length === 0) {
      await round();
      passInterval();
    }

    expect(clock.now.getTime() - START.getTime()).toBeLessThanOrEqual(120_000);
  });

  it('reports a payment that is deleted after it was audited at most two minutes after the deletion', async () => {
    const { services, clock, round, passInterval, messages } = anAudit();
    const payment = paidAt(START.toISOString());
    for (const each of Object.values(services)) each.payments = [payment];
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await round();
      passInterval();
    }
    services.intentApi.payments = [];
    const deleted = clock.now;

    while (messages().length === 0) {
      await round();
      passInterval();
    }

    expect(clock.now.getTime() - deleted.getTime()).toBeLessThanOrEqual(120_000);
  });

  it('reads a payment in two rounds of its first ten minutes, however often rounds follow', async () => {
    const { services, clock, round } = anAudit();
    const decidedAt = new Date(START.getTime() + 60_000).toISOString();
    await round();
    for (let second = 0; second < 600; second += 10) {
      clock.now = new Date(clock.now.getTime() + 10_000);
      await round();
    }

    const reads = services.reconciler.ranges.filter(({ from, to }) => decidedAt >= from && decidedAt < to);
    expect(reads).toHaveLength(2);
  });

  it('audits the payments of an outage of a service after it', async () => {
    const { services, round, passInterval, lines } = anAudit();
    await round();
    services.reconciler.payments = [paidAt(new Date(START.getTime() + 30_000).toISOString())];
    services.intentApi.isDown = true;
    for (let rounds = 0; rounds < 20; rounds += 1) {
      passInterval();
      await expect(round()).rejects.toThrow('intent-api: no answer');
    }
    services.intentApi.isDown = false;

    for (let rounds = 0; rounds < 2; rounds += 1) {
      passInterval();
      await round();
    }

    expect(lines).toMatchObject([{ msg: 'payment_audit.mismatch_found', paymentIntentId: ID }]);
  });

  it('does not report a payment in the first round that sees it, beside an open finding of the same slice', async () => {
    const { services, round, passInterval, lines } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-22T10:03:00.000Z')];
    await round();
    passInterval();
    await round();
    const other = '0193a5f0-0000-7000-8000-00000000000b';
    services.reconciler.payments.push({ ...paidAt('2026-11-22T10:04:30.000Z'), paymentIntentId: other });
    passInterval();

    await round();
    expect(lines.map(({ paymentIntentId }) => paymentIntentId)).toEqual([ID]);
    passInterval();
    await round();
    expect(lines.map(({ paymentIntentId }) => paymentIntentId)).toEqual([ID, other]);
  });

  it('reports nothing about a payment that is complete in the next round', async () => {
    const { services, round, passInterval, messages } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-22T10:04:00.000Z')];
    services.intentApi.payments = [paidAt('2026-11-22T10:04:00.000Z')];

    await round();
    services.webhookDispatcher.payments = [paidAt('2026-11-22T10:04:00.000Z')];
    passInterval();
    await round();
    passInterval();
    await round();

    expect(messages()).toEqual([]);
  });

  it('reports no payment that retention has deleted in one service, and still compares kept ones', async () => {
    const { services } = anAudit();
    const range = { from: '2026-11-22T10:00:00.000Z', to: '2026-11-22T10:10:00.000Z' };
    const payment = paidAt('2026-11-22T10:03:00.000Z');
    const mismatches = async () => {
      const leftOut: string[] = [];
      const found = await findMismatches(services, range, (part) => leftOut.push(part));
      return { kinds: found.map(({ kind }) => kind), leftOut };
    };
    services.intentApi.payments = [payment];
    services.webhookDispatcher.missing = [payment];
    expect((await mismatches()).kinds).toEqual(['intent_without_decision']);
    services.reconciler.payments = [payment];
    expect((await mismatches()).kinds).toEqual(['missing_in_feed']);

    services.webhookDispatcher.keptSince = '2026-11-22T10:00:00.001Z';
    expect(await mismatches()).toEqual({ kinds: ['missing_deliveries'], leftOut: ['feed'] });
    services.webhookDispatcher.deliveriesKeptSince = '2026-11-22T10:00:00.001Z';
    expect(await mismatches()).toEqual({ kinds: [], leftOut: ['feed', 'deliveries'] });
    services.intentApi.payments = [];
    expect((await mismatches()).kinds).toEqual(['decision_not_applied']);
    services.reconciler.keptSince = '2026-11-22T10:00:00.001Z';
    expect((await mismatches()).kinds).toEqual([]);
    services.reconciler.keptSince = range.from;
    expect((await mismatches()).kinds).toEqual(['decision_not_applied']);
  });

  it('reports that a mismatch is resolved, also if its time is no longer among the recent ones', async () => {
    const { services, clock, round, passInterval, messages, findings } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-22T10:03:00.000Z')];
    await round();
    passInterval();
    await round();
    services.intentApi.payments = services.reconciler.payments;
    services.webhookDispatcher.payments = services.reconciler.payments;
    clock.now = new Date('2026-11-22T15:00:00Z');

    await round();

    expect(messages()).toEqual(['payment_audit.mismatch_found', 'payment_audit.mismatch_resolved']);
    expect(await findings()).toBe(0);
  });

  it('finds a payment of this morning whose rows were deleted later, because older slices take turns', async () => {
    const { services, round, passInterval, lines } = anAudit();
    const early = paidAt('2026-11-22T02:00:00.000Z');
    services.reconciler.payments = [early];
    services.intentApi.payments = [early];
    services.webhookDispatcher.payments = [early];
    await round();
    services.webhookDispatcher.payments = [];

    for (let rounds = 0; lines.length === 0 && rounds < 200; rounds += 1) {
      passInterval();
      await round();
    }

    expect(lines).toMatchObject([{ msg: 'payment_audit.mismatch_found', kind: 'missing_in_feed' }]);
  });

  it('reports missing deliveries of a payment that all services store', async () => {
    const { services, round, passInterval, lines } = anAudit();
    const paid = paidAt('2026-11-22T10:03:00.000Z');
    for (const each of Object.values(services)) each.payments = [paid];
    services.webhookDispatcher.missing = [paid];

    await round();
    passInterval();
    await round();

    expect(lines).toMatchObject([{ kind: 'missing_deliveries', paymentIntentId: ID }]);
  });

  it('reports nothing while a service does not answer, and fails so that the round is logged', async () => {
    const { services, round, messages } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-22T10:03:00.000Z')];
    services.intentApi.isDown = true;

    await expect(round()).rejects.toThrow('intent-api: no answer');
    await expect(round()).rejects.toThrow('intent-api: no answer');
    expect(messages()).toEqual([]);
    expect(await db.query('select 1 from payment_audit_findings')).toEqual([]);
  });

  it('reports a recent mismatch and shows it in the gauge while requests for older slices fail', async () => {
    const { services, round, passInterval, messages, findings } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-22T10:03:00.000Z')];
    services.webhookDispatcher.isLate = (from) => from < '2026-11-22T09:00:00.000Z';

    await expect(round()).rejects.toThrow('webhook-dispatcher: late');
    passInterval();
    await expect(round()).rejects.toThrow('webhook-dispatcher: late');

    expect(messages()).toEqual(['payment_audit.mismatch_found']);
    expect(await findings()).toBe(1);
  });

  it('audits the older slices after one that fails', async () => {
    const { services, round, passInterval, messages } = anAudit();
    services.reconciler.payments = [paidAt('2026-11-21T10:12:00.000Z')];
    services.webhookDispatcher.isLate = (from) => from < '2026-11-21T10:10:00.000Z';

    for (let rounds = 0; rounds < 6; rounds += 1) {
      await round().catch(() => undefined);
      passInterval();
    }

    expect(messages()).toEqual(['payment_audit.mismatch_found']);
  });

  it('ends a round after three slices with open findings failed, and audits recent payments again in the next', async () => {
    const { services, round, passInterval } = anAudit();
    const times = ['01', '02', '03', '04', '05', '06'].map((hour) => `2026-11-22T${hour}:00:00.000Z`);
    await db.execute(
      `insert into payment_audit_findings (payment_intent_id, kind, merchant_id, environment, decided_at, first_seen_at)
       select gen_random_uuid(), 'missing_in_feed', $1, 'LIVE', decided_at, decided_at from unnest($2::timestamptz[]) decided_at`,
      [TENANT.merchantId, times],
    );
    const requested: string[] = [];
    services.webhookDispatcher.isLate = (from) => times.includes(from) && requested.push(from) > 0;

    await expect(round()).rejects.toThrow('webhook-dispatcher: late');

    expect(new Set(requested)).toEqual(new Set(times.slice(0, 3)));
    passInterval();
    await expect(round()).rejects.toThrow('webhook-dispatcher: late');
    expect(services.reconciler.ranges.filter(({ from }) => from === '2026-11-22T10:04:40.000Z')).toHaveLength(1);
  });

  it('leaves the audit to the replica that has the lease', async () => {
    const first = anAudit();
    const second = anAudit('0193a5f0-0000-7000-8000-0000000000bb');
    await first.round();
    second.services.reconciler.isDown = true;

    await expect(second.round()).resolves.toBe('left_to_another_replica');
  });
});
