import { randomUUID } from 'node:crypto';
import {
  amountFromWire,
  exceptionListQuerySchema,
  internalSmsMatchSchema,
  type ExceptionKind,
  type ExceptionListQuery,
} from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { pageOfExceptions } from '../src/reviews/exception-page-repository';
import { findByAmount, findByReferences, findParts } from '../src/reviews/suggestion-repository';
import { misspellingsOf } from '../src/domain/misspellings';
import type { ReviewReason } from '../src/domain/reasons';
import { findMatchOfSms } from '../src/reviews/find-match-of-sms';
import { findException } from '../src/reviews/find-exception';
import { listExceptions } from '../src/reviews/list-exceptions';
import { after, anIntent, intentArrives, SANDBOX_SHOP, SHOP, smsArrives, someEvidence, WALLET } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';
import { aReviewer, reviewDesk } from './review-under-test';
import { startService, DASHBOARD_SECRET, type ServiceUnderTest } from './service-under-test';
import { serviceClient } from '@pay/http';

failOnLeaks();

describe('the list of exceptions', () => {
  let session: SessionUnderTest;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session.close());

  const list = (query: Partial<Record<keyof ExceptionListQuery, string>> = {}) =>
    listExceptions(session, { merchantId: SHOP.merchantId, ...exceptionListQuerySchema.parse(query) });
  const ids = async (query: Parameters<typeof list>[0] = {}) =>
    (await list({ limit: '100', ...query })).data.map(({ smsEventId }) => smsEventId);
  async function anAmountThatDiffers(amount = '450', tenant = SHOP) {
    const reference = aName();
    const sms = { ...someEvidence({ reference, trxId: aName(), amount: amountFromWire(amount) }), tenant };
    await session.deliver(intentArrives({ ...anIntent({ reference }), tenant }), smsArrives(sms));
    return sms;
  }

  it('is filtered by environment, kind, status, assignee, receiver, amount and time, newest first, in pages without overlap', async () => {
    const small = await anAmountThatDiffers('20');
    const sandbox = await anAmountThatDiffers('450', SANDBOX_SHOP);
    const more = [await anAmountThatDiffers(), await anAmountThatDiffers(), await anAmountThatDiffers()];
    const stray = someEvidence({ trxId: aName() });
    await session.deliver(smsArrives(stray));
    const decided = more[0]?.smsEventId ?? '';
    const desk = reviewDesk(session);
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
    expect(await ids({ amountFrom: '20', amountTo: '20' })).toEqual([small.smsEventId]);
    expect(await ids({ reason: 'reference_match_amount_mismatch', environment: 'LIVE' })).toEqual(
      open.filter((id) => id !== sandbox.smsEventId),
    );
    expect(await ids({ receiverAccountId: randomUUID() })).toEqual([]);
    expect(await ids({ order: 'oldest' })).toEqual(open.toReversed());
    expect(await ids({ createdTo: '2026-01-01T00:00:00Z' })).toEqual([]);
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => list({ page, limit: '1' })));
    expect(pages.map(({ data: [one] }) => one?.smsEventId)).toEqual(open);
    expect(pages[0]).toMatchObject({ total: 4, totalIsExact: true, page: 1, limit: 1 });
    expect(
      await listExceptions(session, { merchantId: randomUUID(), ...exceptionListQuerySchema.parse({}) }),
    ).toMatchObject({ total: 0 });

    // Money without an intent is not listed for 15 minutes.
    await session.db.execute(`update matches set created_at = now() - interval '16 minutes' where sms_event_id = $1`, [
      stray.smsEventId,
    ]);
    expect(await ids({ kind: 'no_intent' })).toEqual([stray.smsEventId]);
  });

  it('has one kind per reason: different amount, late, duplicate, closed intent, wrong receiver, or in doubt', async () => {
    const kinds: Readonly<Record<ReviewReason, ExceptionKind>> = {
      reference_match_amount_mismatch: 'amount_differs',
      trx_id_match_amount_mismatch: 'amount_differs',
      late_payment: 'late_payment',
      intent_already_paid: 'paid_twice',
      intent_closed: 'intent_closed',
      wrong_method: 'went_elsewhere',
      wrong_receiver: 'went_elsewhere',
      receiver_unknown: 'went_elsewhere',
      match_window_over: 'doubtful',
      evidence_too_old: 'doubtful',
      forgery_signals: 'doubtful',
      unsigned_forwarder: 'doubtful',
      balance_break: 'doubtful',
      payer_differs: 'doubtful',
      claim_before_payment: 'doubtful',
      payer_digits_missing: 'doubtful',
      payer_digits_differ: 'doubtful',
      competing_claims: 'doubtful',
      other_intent_rejected: 'doubtful',
      contradicting_texts: 'doubtful',
    };
    const rows = await session.db.query<{ reason: ReviewReason; kind: string }>(
      `select reason, exception_of('REVIEW_REQUIRED', reason) as kind from unnest($1::text[]) as reason`,
      [Object.keys(kinds)],
    );
    expect(Object.fromEntries(rows.map(({ reason, kind }) => [reason, kind]))).toEqual(kinds);
  });

  it('has the candidates and the assignee that the match of its SMS has', async () => {
    const sms = await anAmountThatDiffers();
    const undecided = { candidates: [{ intent: { status: 'REVIEW_REQUIRED' } }], assigneeId: null };
    expect(await findMatchOfSms(session.db, SHOP, sms.smsEventId)).toMatchObject(undecided);
    const assigneeId = randomUUID();
    const assign = { action: 'assign', assigneeId } as const;
    const { item } = await reviewDesk(session).ask(sms.smsEventId, assign, { actor: aReviewer() });

    const match = await findMatchOfSms(session.db, SHOP, sms.smsEventId);
    expect(match).toMatchObject({ id: item.id, assigneeId, candidates: item.candidates });
    expect(internalSmsMatchSchema.parse({ match })).toEqual({ match });
    expect(await findMatchOfSms(session.db, SANDBOX_SHOP, sms.smsEventId)).toBeNull();
  });

  it('names its reviewer as the match of its SMS does', async () => {
    const sms = await anAmountThatDiffers();
    const actor = aReviewer();
    const { item } = await reviewDesk(session).ask(sms.smsEventId, { action: 'reject' }, { actor });

    const match = await findMatchOfSms(session.db, SHOP, sms.smsEventId);
    expect([item.resolvedBy, match?.resolvedBy]).toEqual([actor.userId, actor.userId]);
  });

  it('contains suggestions: a similar reference, the same amount on the same number, parts that add up', async () => {
    const [meant, same, whole] = [
      anIntent({ reference: 'QX1O5' }),
      anIntent({ reference: aName() }),
      anIntent({ reference: 'PARTS', amount: amountFromWire('900') }),
    ];
    const stray = someEvidence({ reference: 'QXIO5', trxId: aName(), providerTime: after(1) });
    const parts = ['400', '500'].map((amount) =>
      someEvidence({ reference: 'PARTS', trxId: aName(), amount: amountFromWire(amount) }),
    );
    await session.deliver(...[meant, same, whole].map(intentArrives), ...[stray, ...parts].map(smsArrives));
    const suggestionsOf = async (smsEventId: string) => {
      const id = await reviewDesk(session).itemOf(smsEventId);
      return (await findException(session, SHOP.merchantId, id)).suggestions.map(({ kind, paymentIntentIds }) => [
        kind,
        ...paymentIntentIds,
      ]);
    };

    const ofStray = await suggestionsOf(stray.smsEventId);
    expect(ofStray).toContainEqual(['reference_misspelt', meant.id]);
    expect(ofStray).toContainEqual(['amount_fits', same.id]);
    expect(await suggestionsOf(parts[0]?.smsEventId ?? '')).toContainEqual(['parts_add_up', whole.id]);
    expect(await session.statusOf(meant.id)).toBe('PENDING');
  });

  it('returns each open exception once over all pages, in either order, while others are decided and added', async () => {
    const merchantId = randomUUID();
    const of = (n: number, minutes = n) => [randomUUID(), merchantId, `now() - interval '${minutes} minutes'`] as const;
    const add = async ([id, shop, at]: ReturnType<typeof of>, status = 'REVIEW_REQUIRED') => {
      await session.db.execute(
        `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, received_amount, sms_sequence, created_at)
         values ($1, $2, 'LIVE', gen_random_uuid(), $3, 'late_payment', 100, 1, ${at})`,
        [id, shop, status],
      );
      return id;
    };
    const items: string[] = [];
    for (let n = 1; n <= 7; n += 1) items.push(await add(of(n, n === 4 ? 3 : n)));
    const walk = async (order: 'newest' | 'oldest', meanwhile: () => Promise<unknown>) => {
      const seen: string[] = [];
      for (let after: string | undefined; ;) {
        const query = exceptionListQuerySchema.parse({ limit: '2', order, ...(after !== undefined && { after }) });
        const { data, nextCursor } = await listExceptions(session, { merchantId, ...query });
        seen.push(...data.map(({ id }) => id));
        if (nextCursor === null) return seen;
        if (after === undefined) await meanwhile();
        after = nextCursor;
      }
    };
    const oldestFirst = await walk('oldest', () => Promise.resolve());
    expect([...oldestFirst].sort()).toEqual([...items].sort());
    expect(oldestFirst[0]).toBe(items[6]);

    const seen = await walk('newest', async () => {
      await session.db.execute(
        `update matches set status = 'REJECTED', reason = 'refunded', decided_by = 'user:1', resolution_note = 'why' where id = $1`,
        [items[0]],
      );
      await add(of(0));
    });
    expect(seen).toEqual(oldestFirst.toReversed());
  });
});

describe('a large merchant', () => {
  const merchantId = randomUUID();
  const [receiver, assignee] = [randomUUID(), randomUUID()];
  const MANY = 40_000;
  let session: SessionUnderTest;
  beforeAll(async () => {
    session = await openSession();
    await session.db.transaction(async (tx) => {
      await tx.execute('set local statement_timeout = 0');
      await tx.execute(
        `insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, amount, receiver_account_id, provider_time, ingested_at, state)
         select gen_random_uuid(), $1, 'LIVE', 'BKASH', 'BKASH_SEND_MONEY', 'OLD' || n, 77700, $2, now(), now(), 'REVIEW' from generate_series(1, 3) n`,
        [merchantId, receiver],
      );
      await tx.execute(
        `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, received_amount, assignee_id, sms_sequence, created_at)
         select gen_random_uuid(), $1, 'LIVE', sms_event_id, 'REVIEW_REQUIRED', 'payer_differs', 77700, $2, 1, now() - interval '1 year' from evidence`,
        [merchantId, assignee],
      );
      await tx.execute(
        `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, received_amount, sms_sequence, created_at)
         select gen_random_uuid(), case when n % 4 = 0 then gen_random_uuid() else $1 end, 'LIVE', gen_random_uuid(), 'REVIEW_REQUIRED',
           'forgery_signals', n % 500, 1, now() - n * interval '1 minute' from generate_series(1, $2::int) n`,
        [merchantId, MANY],
      );
      await tx.execute(
        `insert into intents (id, merchant_id, environment, reference_key, amount, status, shown_receivers, created_at, expires_at, source_sequence)
         select gen_random_uuid(), $1, 'LIVE', 'MANY' || n, n, 'EXPIRED', '[]', now() - n * interval '1 minute', now(), 1 from generate_series(1, 30000) n`,
        [merchantId],
      );
    });
    await session.db.execute('analyze');
  });
  afterAll(() => session.close());

  /** The rows read by each scan of the statements that `work` runs. */
  async function scansOf(work: (db: SessionUnderTest['db']) => Promise<unknown>, isMeant = (_text: string) => true) {
    const plans: string[] = [];
    await work({
      ...session.db,
      query: async (sql: string | { readonly text: string }, values: readonly unknown[] = []) => {
        const text = typeof sql === 'string' ? sql : sql.text;
        if (isMeant(text)) {
          const plan = await session.db.query<{ 'QUERY PLAN': string }>(
            `explain (analyze, timing off) ${text}`,
            values,
          );
          plans.push(...plan.map((row) => row['QUERY PLAN']));
        }
        return session.db.query(text, values);
      },
    } as SessionUnderTest['db']);
    const read = plans.flatMap((line) => {
      const [, rows, loops] = /Scan.* on (?!unnest).*actual rows=([\d.]+) loops=(\d+)/.exec(line) ?? [];
      const [, removed] = /Rows Removed by (?:Filter|Index Recheck): (\d+)/.exec(line) ?? [];
      return rows === undefined ? Number(removed ?? 0) : Math.round(Number(rows) * Number(loops));
    });
    return { text: plans.join('\n'), most: Math.max(0, ...read) };
  }
  const filterOf = (query: object) => ({ merchantId, ...exceptionListQuerySchema.parse(query) });
  const first = { limit: 20, offset: 0 };

  it.each([
    ['the reason', { reason: 'payer_differs' }, 'matches_exceptions_of_reason'],
    ['the receiver account', { receiverAccountId: receiver }, 'matches_exceptions_of_receiver'],
    ['the amount', { amountFrom: '777', amountTo: '777.00' }, 'matches_exceptions_of_amount'],
    ['the assignee', { assigneeId: assignee }, 'matches_exceptions_of_assignee'],
    [
      'several of these',
      { assigneeId: assignee, reason: 'payer_differs', amountFrom: '700' },
      'matches_exceptions_of_',
    ],
  ])('returns its three oldest exceptions by %s without reading other rows', async (_, query, index) => {
    const filter = filterOf(query);
    const { rows, total, totalIsExact } = await pageOfExceptions(session.db, filter, first);
    const { text, most } = await scansOf((db) => pageOfExceptions(db, filter, first));

    expect({ found: rows.length, total, totalIsExact }).toEqual({ found: 3, total: 3, totalIsExact: true });
    expect(text).toContain(index);
    expect(most).toBeLessThanOrEqual(30);
  });

  it.each(['newest', 'oldest'])(
    'is read %s first from that end of an index, from wherever a page began',
    async (order) => {
      const { nextCursor } = await pageOfExceptions(session.db, filterOf({ order }), { limit: 20, offset: 500 });
      const { most } = await scansOf(
        (db) => pageOfExceptions(db, filterOf({ order, after: nextCursor }), first),
        (text) => !text.includes(' as total'),
      );

      expect(most).toBeLessThanOrEqual(30);
      expect(await pageOfExceptions(session.db, filterOf({ order }), first)).toMatchObject({
        total: 10_000,
        totalIsExact: false,
        rows: { length: 20 },
      });
    },
  );

  it('reaches the oldest exception of a range of amounts page by page, with a limited number of rows per request', async () => {
    const filter = filterOf({ amountFrom: '700' });
    const found: string[] = [];
    let pages = 0;
    for (let after: string | undefined; ;) {
      const page = await pageOfExceptions(session.db, { ...filter, after }, first);
      found.push(...page.rows.map(({ id }) => id));
      pages += 1;
      if (page.nextCursor === null) break;
      after = page.nextCursor;
    }

    expect(found).toHaveLength(3);
    expect(pages).toBe(4);
    expect((await scansOf((db) => pageOfExceptions(db, filter, first))).most).toBeLessThanOrEqual(10_000);
  });

  it('finds suggestions by index', async () => {
    const tenant = { merchantId, environment: 'LIVE' } as const;
    const { text } = await scansOf(async (db) => {
      await findByReferences(db, tenant, misspellingsOf('MANY1234'));
      await findByAmount(db, tenant, { amount: '77', providerTime: new Date(), receiverAccountId: WALLET });
      await findParts(db, tenant, 'PARTS');
    });

    expect(text).not.toMatch(/Seq Scan/);
  });
});

describe('the internal routes', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('accept only dashboard-api and people who may review', async () => {
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
