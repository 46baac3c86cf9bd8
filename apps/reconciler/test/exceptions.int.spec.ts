import { randomUUID } from 'node:crypto';
import { amountFromWire, exceptionListQuerySchema, type ExceptionListQuery } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { pageOfExceptions } from '../src/db/exceptions';
import { findByAmount, findByReferences, findParts } from '../src/db/suggestions';
import { misspellingsOf } from '../src/domain/misspellings';
import { findException } from '../src/find-exception';
import { listExceptions } from '../src/list-exceptions';
import { after, anIntent, intentArrives, SANDBOX_SHOP, SHOP, smsArrives, someEvidence, WALLET } from './builders';
import { aName, openCourt, type CourtUnderTest } from './court-under-test';
import { aReviewer, reviewDesk } from './review-under-test';
import { startService, DASHBOARD_SECRET, type ServiceUnderTest } from './service-under-test';
import { serviceClient } from '@pay/http';

jest.setTimeout(60_000);
failOnLeaks();

describe('the queue', () => {
  let court: CourtUnderTest;
  beforeAll(async () => {
    court = await openCourt();
  });
  afterAll(() => court.close());

  const list = (query: Partial<Record<keyof ExceptionListQuery, string>> = {}) =>
    listExceptions(court, { merchantId: SHOP.merchantId, ...exceptionListQuerySchema.parse(query) });
  const ids = async (query: Parameters<typeof list>[0] = {}) =>
    (await list({ limit: '100', ...query })).data.map(({ smsEventId }) => smsEventId);
  async function anAmountThatDiffers(amount = '450', tenant = SHOP) {
    const reference = aName();
    const sms = { ...someEvidence({ reference, trxId: aName(), amount: amountFromWire(amount) }), tenant };
    await court.tell(intentArrives({ ...anIntent({ reference }), tenant }), smsArrives(sms));
    return sms;
  }

  it('is filtered by environment, kind, status, assignee, receiver, amount and time, newest first, in pages that do not overlap', async () => {
    const small = await anAmountThatDiffers('20');
    const sandbox = await anAmountThatDiffers('450', SANDBOX_SHOP);
    const more = [await anAmountThatDiffers(), await anAmountThatDiffers(), await anAmountThatDiffers()];
    const stray = someEvidence({ trxId: aName() });
    await court.tell(smsArrives(stray));
    const decided = more[0]?.smsEventId ?? '';
    const desk = reviewDesk(court);
    await desk.ask(decided, { action: 'refunded' });
    const assigneeId = randomUUID();
    await desk.ask(small.smsEventId, { action: 'assign', assigneeId }, { actor: aReviewer() });

    const open = [more[2], more[1], sandbox, small].map((sms) => sms?.smsEventId);
    expect(await ids()).toEqual(open);
    expect(await ids({ environment: 'SANDBOX' })).toEqual([sandbox.smsEventId]);
    expect(await ids({ kind: 'amount_differs' })).toEqual(open);
    expect(await ids({ kind: 'late_payment' })).toEqual([]);
    expect(await ids({ status: 'CLOSED' })).toEqual([decided]);
    expect(await ids({ assigneeId })).toEqual([small.smsEventId]);
    expect(await ids({ amountTo: '20.00' })).toEqual([small.smsEventId]);
    expect(await ids({ receiverAccountId: WALLET, amountFrom: '21' })).toEqual(open.slice(0, 3));
    expect(await ids({ receiverAccountId: randomUUID() })).toEqual([]);
    expect(await ids({ createdTo: '2026-01-01T00:00:00Z' })).toEqual([]);
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => list({ page, limit: '1' })));
    expect(pages.map(({ data: [one] }) => one?.smsEventId)).toEqual(open);
    expect(pages[0]).toMatchObject({ total: 4, totalIsExact: true, page: 1, limit: 1 });
    expect(
      await listExceptions(court, { merchantId: randomUUID(), ...exceptionListQuerySchema.parse({}) }),
    ).toMatchObject({ total: 0 });

    // Money without an intent is nobody's business for a quarter of an hour.
    await court.db.execute(`update matches set created_at = now() - interval '16 minutes' where sms_event_id = $1`, [
      stray.smsEventId,
    ]);
    expect(await ids({ kind: 'no_intent' })).toEqual([stray.smsEventId]);
  });

  it('an item says what may have been meant: a reference like it, the same amount on the same number, parts that add up', async () => {
    const [meant, same, whole] = [
      anIntent({ reference: 'QX1O5' }),
      anIntent({ reference: aName() }),
      anIntent({ reference: 'PARTS', amount: amountFromWire('900') }),
    ];
    const stray = someEvidence({ reference: 'QXIO5', trxId: aName(), providerTime: after(1) });
    const parts = ['400', '500'].map((amount) =>
      someEvidence({ reference: 'PARTS', trxId: aName(), amount: amountFromWire(amount) }),
    );
    await court.tell(...[meant, same, whole].map(intentArrives), ...[stray, ...parts].map(smsArrives));
    const suggestionsOf = async (smsEventId: string) => {
      const id = await reviewDesk(court).itemOf(smsEventId);
      return (await findException(court, SHOP.merchantId, id)).suggestions.map(({ kind, paymentIntentIds }) => [
        kind,
        ...paymentIntentIds,
      ]);
    };

    const ofStray = await suggestionsOf(stray.smsEventId);
    expect(ofStray).toContainEqual(['reference_misspelt', meant.id]);
    expect(ofStray).toContainEqual(['amount_fits', same.id]);
    expect(await suggestionsOf(parts[0]?.smsEventId ?? '')).toContainEqual(['parts_add_up', whole.id]);
    expect(await court.statusOf(meant.id)).toBe('PENDING');
  });

  it('reads a large merchant by its indexes: queue, counts and suggestions', async () => {
    const { merchantId } = SHOP;
    await court.db.transaction(async (tx) => {
      await tx.execute(
        `insert into intents (id, merchant_id, environment, reference_key, amount, status, shown_receivers, created_at, expires_at, source_sequence)
         select gen_random_uuid(), $1, 'LIVE', 'MANY' || n, n, 'EXPIRED', '[]', now() - n * interval '1 minute', now(), 1 from generate_series(1, 30000) n`,
        [merchantId],
      );
      await tx.execute(
        `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, sms_sequence, created_at)
         select gen_random_uuid(), case when n % 3 = 0 then $1 else gen_random_uuid() end, 'LIVE', gen_random_uuid(), 'UNPARSED', 'unsupported_format', 1,
           now() - n * interval '1 minute' from generate_series(1, 60000) n`,
        [merchantId],
      );
    });
    await court.db.execute('analyze');
    const statements: { text: string; values: readonly unknown[] }[] = [];
    const recording = {
      ...court.db,
      query: (sql: string | { readonly text: string }, values: readonly unknown[] = []) => {
        statements.push({ text: typeof sql === 'string' ? sql : sql.text, values });
        return court.db.query(typeof sql === 'string' ? sql : sql.text, values);
      },
    } as typeof court.db;
    const filter = { merchantId, ...exceptionListQuerySchema.parse({}) };

    const page = await pageOfExceptions(recording, filter, { limit: 20, offset: 40 });
    await findByReferences(recording, SHOP, misspellingsOf('MANY1234'));
    await findByAmount(recording, SHOP, { amount: '77', providerTime: new Date(), receiverAccountId: WALLET });
    await findParts(recording, SHOP, 'PARTS');

    expect(page).toMatchObject({ total: 10_000, totalIsExact: false });
    expect(page.rows).toHaveLength(20);
    for (const { text, values } of statements) {
      const plan = await court.db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      expect(plan.map((row) => row['QUERY PLAN']).filter((line) => /Seq Scan on (?!unnest)/.test(line))).toEqual([]);
    }
  });
});

describe('the internal routes', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('are for dashboard-api alone, and for people who may decide', async () => {
    const path = `/internal/v1/exceptions/${randomUUID()}/actions?merchantId=${randomUUID()}`;
    const body = { action: 'refunded', requestId: randomUUID(), reason: 'why' };
    const options = { issuer: 'dashboard-api', audience: 'reconciler', baseUrl: service.internalUrl } as const;
    const dashboard = serviceClient({ ...options, secret: DASHBOARD_SECRET });
    const schema = exceptionListQuerySchema.loose();
    const asked = (actor?: string) =>
      dashboard.request('POST', path, { schema, body, ...(actor !== undefined && { actor }) });

    await expect(
      service.asCheckout.request('GET', `/internal/v1/exceptions?merchantId=${randomUUID()}`, { schema }),
    ).rejects.toMatchObject({ status: 403 });
    await expect(asked()).rejects.toMatchObject({ status: 400 });
    await expect(asked(`${randomUUID()}:VIEWER`)).rejects.toMatchObject({ status: 403 });
    await expect(asked(`${randomUUID()}:REVIEWER`)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
    await dashboard.close();
  });
});
