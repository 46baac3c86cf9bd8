import type { Database, Queryable, Transaction } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import {
  claimDueIntent,
  claimDueIntents,
  expiryCutoff,
  findMisdirected,
  isMisdirected,
} from '../src/expiry/due-intent-repository';
import { findPastWindow } from '../src/matching/evidence-repository';
import { MOST_OF_A_NAME } from '../src/matching/match-lock-repository';
import { findPending } from '../src/matching/switch-off-repository';
import type { Arrival } from '../src/domain/arrivals';
import { MOST_OF_A_TRX_ID } from '../src/domain/competing-claims';
import { settleLapsedClaims } from '../src/matching/claim-repository';
import { decideBatch, openBatch } from '../src/matching/decide-batch';
import { findLeads, findLedToReview } from '../src/reviews/lead-repository';
import { findByText } from '../src/search/search-repository';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import {
  anIntent,
  claimArrives,
  HOUR,
  intentArrives,
  MINUTE,
  SHOP,
  smsArrives,
  someEvidence,
  TERMS,
  WALLET,
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

const ROWS = 100_000;
const PARTS = 10;
const RECEIVERS = JSON.stringify([{ receiverAccountId: WALLET, paymentMethod: 'BKASH_SEND_MONEY' }]);

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
  await fill(session);
}, 300_000);
afterAll(() => session.close());
failOnLeaks();

async function fill({ db }: SessionUnderTest): Promise<void> {
  await fillTables(db);
  await db.execute('analyze');
}

/** The number of open intents, waiting texts and open claims of a large merchant under extreme load. */
async function fillTables(db: Database, rows = ROWS): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0');
    // In parts, so that no statement exceeds the client's timeout.
    for (let part = 0; part < PARTS; part += 1) {
      const range = [(part * rows) / PARTS + 1, ((part + 1) * rows) / PARTS];
      await tx.execute(
        `with stored as (
           insert into intents (id, merchant_id, environment, reference_key, amount, status, shown_receivers, created_at, expires_at, source_sequence)
           select gen_random_uuid(), $1, 'LIVE', 'OPEN' || n, 50000, 'PENDING', $2::jsonb, now(), now() + n * interval '1 second', 1
           from generate_series($3::int, $4::int) n
           returning *)
         insert into claims (id, merchant_id, environment, payment_intent_id, trx_id, submitted_at, source, state, outcome, reason, sequence)
         select gen_random_uuid(), merchant_id, environment, id, 'CLAIMED' || substr(reference_key, 5), now(), 'CHECKOUT', 'OPEN', 'waiting', 'trx_id_not_seen', 1
         from stored`,
        [SHOP.merchantId, RECEIVERS, ...range],
      );
      await tx.execute(
        `with stored as (
           insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, reference_key, amount,
             receiver_account_id, provider_time, ingested_at, state)
           select gen_random_uuid(), $1, 'LIVE', 'BKASH', 'BKASH_SEND_MONEY', 'TRX' || n, 'NONE' || n, 50000, $2, now(),
             now() - n * interval '1 second', 'WAITING'
           from generate_series($3::int, $4::int) n
           returning *)
         insert into matches (id, merchant_id, environment, sms_event_id, status, reason, sms_sequence, created_at)
         select gen_random_uuid(), merchant_id, environment, sms_event_id, 'PENDING', 'reference_not_found', 1, now()
         from stored`,
        [SHOP.merchantId, WALLET, ...range],
      );
    }
  });
}

interface Run {
  readonly text: string;
  readonly values: readonly unknown[];
}

function recording<Q extends Queryable>(queryable: Q, runs: Run[]): Q {
  const note = (sql: string | { readonly text: string }, values: readonly unknown[] = []) =>
    void runs.push({ text: typeof sql === 'string' ? sql : sql.text, values });
  return {
    ...queryable,
    query: (sql: string | { name: string; text: string }, values?: readonly unknown[]) => {
      note(sql, values);
      return queryable.query(sql, values);
    },
    execute: (sql: string | { name: string; text: string }, values?: readonly unknown[]) => {
      note(sql, values);
      return queryable.execute(sql, values);
    },
    enqueue: (sql: string | { name: string; text: string }, values?: readonly unknown[]) => {
      note(sql, values);
      if ('enqueue' in queryable) (queryable as unknown as Transaction).enqueue(sql, values);
    },
    ...('onCommit' in queryable ? { onCommit: () => undefined } : {}),
  };
}

/** Plans of every statement that reads or changes our tables, taken inside the transaction that ran them. */
async function plansOf(work: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
  return session.db.transaction(async (tx) => {
    const runs: Run[] = [];
    await work(recording(tx, runs));
    const plans: string[] = [];
    for (const { text, values } of runs) {
      if (!/\b(intents|evidence|matches|claims)\b/.test(text) || text.startsWith('insert')) continue;
      const rows = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  });
}

function deciding(...arrivals: readonly Arrival[]): (tx: Transaction) => Promise<unknown> {
  return (tx) => decideBatch(session.deps, tx, arrivals);
}

const many = <Thing>(make: (n: number) => Thing) => Array.from({ length: 100 }, (_, n) => make(n + 1));

describe(`with ${ROWS} open intents, waiting texts and open claims, the statements use indexes`, () => {
  it.each([
    ['texts that pay', 4, () => many((n) => smsArrives(someEvidence({ reference: `OPEN${n}`, trxId: aName() })))],
    ['new intents', 3, () => many(() => intentArrives(anIntent({ reference: aName() })))],
    ['intents whose texts wait', 6, () => many((n) => intentArrives(anIntent({ reference: `NONE${n}` })))],
    ['texts whose claims wait', 5, () => many((n) => smsArrives(someEvidence({ trxId: `CLAIMED${n}` })))],
    ['claims of texts that wait', 3, () => many((n) => claimArrives(anIntent().id, `TRX${n}`))],
  ] as const)('of a batch of %s', async (_, fewest, arrivals) => {
    const plans = await plansOf(deciding(...arrivals()));

    expect(plans.length).toBeGreaterThanOrEqual(fewest);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (intents|evidence|matches|claims)/);
  });

  it.each([
    ['few', 0],
    ['all', -30 * HOUR],
  ])('of the expiry worker and of one expiry when %s intents are due', async (_, graceMs) => {
    const plans = await plansOf(async (tx) => {
      const { cutoff } = await expiryCutoff(tx, graceMs);
      const due = { cutoff, undecided: [{ ...SHOP, oldest: cutoff.toISOString() }], held: new Set<string>() };
      await findMisdirected(tx, due, 500);
      const refreshed = new Set([anIntent().id]);
      const [first] = await claimDueIntents(tx, due, refreshed, 500);
      const one = first?.intentId ?? anIntent().id;
      await isMisdirected(tx, one);
      await claimDueIntent(tx, due, refreshed, one);
    });

    expect(plans).toHaveLength(5);
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on (intents|matches|claims)/);
      // Blocked intents must not be compared with all undecided tenants: the time would grow with both.
      expect(plan).not.toMatch(/Function Scan|Join Filter/);
      // Matches and claims are found by their intent, not read as a whole.
      expect(plan).not.toMatch(/hashed SubPlan/);
    }
  });

  it('of a switch-off: the next page of the pending intents of its merchant', async () => {
    const switchOff = { tenant: SHOP, intentId: undefined, doneTo: anIntent().id };
    const plans = await plansOf((tx) => findPending(tx, switchOff, 500));
    const one = await plansOf((tx) => findPending(tx, { ...switchOff, intentId: anIntent().id }, 500));

    expect(plans[0]).toMatch(/Index Scan using intents_pending_of_tenant[^]*Index Cond: .*merchant_id.*id > /);
    expect(one[0]).toMatch(/Index Scan using (intents_pending_of_tenant|intents_pkey)[^]*Index Cond/);
  });

  it('of a rejection and of the intents that an SMS led to review', async () => {
    const { id, smsEventId } = { ...anIntent(), ...someEvidence() };
    const plans = await plansOf(async (tx) => {
      await findLeads(tx, id, { smsEventId, exceptionId: id });
      await findLedToReview(tx, smsEventId);
    });

    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (intents|evidence|matches|claims)/);
  });

  it('of the search for a TrxID', async () => {
    const plans = await plansOf((tx) => findByText(tx, SHOP, 'trxId', 'CLAIMED1'));

    expect(plans).toHaveLength(1);
    for (const index of ['claims_open_by_trx_id', 'claims_settled_by_trx_id'])
      expect(plans[0]).toMatch(new RegExp(`Index Scan using ${index}[^]*Index Cond: .*trx_id = `));
  });

  it('of the end of match windows', async () => {
    const plans = await plansOf((tx) => findPastWindow(tx, TERMS.matchWindowMs, 200));

    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/Index Scan using evidence_waiting_since/);
  });

  it('of open claims past the match window', async () => {
    const plans = await plansOf((tx) => settleLapsedClaims(tx, TERMS.matchWindowMs, 200));

    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/Index Scan using claims_open_since[^]*Index Cond/);
    expect(plans[0]).not.toMatch(/Seq Scan on (intents|claims)/);
  });
});

describe('a TrxID with very many open claims', () => {
  const trxId = '01700000900';
  beforeAll(() =>
    session.db.execute(
      `insert into claims (id, merchant_id, environment, payment_intent_id, trx_id, submitted_at, source, state, outcome, reason, sequence)
       select gen_random_uuid(), $1, 'LIVE', i.id, $2, now() - interval '1 minute', 'CHECKOUT', 'OPEN', 'waiting', 'trx_id_not_seen', 1
       from intents i where i.reference_key like 'OPEN%' limit 5000`,
      [SHOP.merchantId, trxId],
    ),
  );

  it('locks a limited number of claims and intents for one more', async () => {
    const intent = anIntent({ reference: aName() });
    await session.deliver(intentArrives(intent));

    const { workingSet } = await session.db.transaction((tx) =>
      openBatch(session.deps, tx, [claimArrives(intent.id, trxId)]),
    );

    // A text of one of the intents may have a claim of another TrxID.
    const ofTrxId = workingSet.claims.all().filter((claim) => claim.trxId === trxId);
    expect(ofTrxId).toHaveLength(MOST_OF_A_TRX_ID);
    expect(workingSet.intents.all().length).toBeLessThan(2 * MOST_OF_A_TRX_ID);
  });

  it('goes to review when its text arrives, although one of its claims agrees with the payer', async () => {
    const now = new Date();
    const paidAt = new Date(now.getTime() - 5 * MINUTE);
    const intent = anIntent({
      reference: aName(),
      createdAt: paidAt,
      expiresAt: new Date(now.getTime() + HOUR),
      expectedSenderMsisdn: '01812345678',
    });
    const sms = someEvidence({ trxId, providerTime: paidAt, ingestedAt: now });
    await session.deliver(intentArrives(intent), claimArrives(intent.id, trxId, now));

    await session.deliver(smsArrives(sms));

    expect(await session.statusOf(intent.id)).toBe('REVIEW_REQUIRED');
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'competing_claims',
    });
  });
});

describe('an intent whose reference is in very many texts', () => {
  it('is paid by its oldest payable text, and a limited number of texts is decided with it', async () => {
    const { db } = session;
    const now = Date.now();
    const rent = { reference: 'RENT', ingestedAt: new Date(now), providerTime: new Date(now) };
    // Other texts with the reference: newer ones of another amount, and older ones of this amount past their match
    // window.
    const others = `insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, reference_key, amount,
        receiver_account_id, provider_time, ingested_at, state)
      select gen_random_uuid(), $1, 'LIVE', 'BKASH', 'BKASH_SEND_MONEY', 'RENT' || n, 'RENT', case n % 2 when 0 then 1 else 50000 end, $3,
        at, at, case n % 2 when 0 then 'WAITING' else 'LAPSED' end
      from generate_series(1, $2::int) n cross join lateral (
        select now() - case n % 2 when 0 then n * interval '1 second' else n * interval '100 hours' end as at) aged`;
    await db.execute(others, [SHOP.merchantId, 6 * MOST_OF_A_NAME, WALLET]);
    await db.execute(
      `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, sms_sequence, created_at, window_ended_at)
       select gen_random_uuid(), merchant_id, environment, sms_event_id, case state when 'LAPSED' then 'EXPIRED' else 'PENDING' end,
         'reference_not_found', 1, now(), case state when 'LAPSED' then now() end
       from evidence where reference_key = 'RENT'`,
    );
    const hoursAgo = (hours: number) => ({
      providerTime: new Date(now - hours * HOUR),
      ingestedAt: new Date(now - hours * HOUR),
    });
    const [older, newer] = [48, 24].map((hours) => someEvidence({ ...rent, ...hoursAgo(hours), trxId: aName() }));
    if (older === undefined || newer === undefined) throw new Error('two texts are needed');
    await session.deliver(smsArrives(newer), smsArrives(older));
    const before = (await session.announced()).length;
    const intent = anIntent({ ...rent, createdAt: new Date(now), expiresAt: new Date(now + HOUR) });

    await session.deliver(intentArrives(intent));

    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(await session.matchOf(older.smsEventId)).toMatchObject({ status: 'MATCHED', pays_intent_id: intent.id });
    expect(await session.matchOf(newer.smsEventId)).toMatchObject({ reason: 'intent_already_paid' });
    const decided = (await session.announced()).slice(before);
    expect(decided.length).toBeGreaterThanOrEqual(MOST_OF_A_NAME);
    expect(decided.length).toBeLessThanOrEqual(2 * MOST_OF_A_NAME);
  });
});

describe('plans that were cached while the tables were empty', () => {
  let young: SessionUnderTest;
  beforeAll(async () => {
    young = await openSession({ poolSize: 1 });
  });
  afterAll(() => young.close());

  it('use indexes after the tables have grown', async () => {
    // From the sixth execution on the server may use a generic plan.
    for (let n = 0; n < 10; n += 1) {
      const intent = anIntent({ reference: aName() });
      const sms = someEvidence({ trxId: aName() });
      const claim = claimArrives(intent.id, sms.trxId);
      await young.deliver(claim);
      await young.deliver(smsArrives(sms));
      await young.deliver(intentArrives(intent));
      await young.deliver(intentArrives({ ...intent, sourceSequence: 2 }));
      await sealDecisions(young.deps, new AbortController().signal);
    }
    await fillTables(young.db, 20_000);

    await young.db.execute('set plan_cache_mode = force_generic_plan');
    const plans: string[] = [];
    for (const [name, parameters] of Object.entries({
      'lock-intents': 7,
      'lock-matches': 12,
      'lock-claims': 6,
      'update-intents': 2,
      'update-evidence': 2,
      'update-matches': 2,
      'update-claims': 2,
      'seal-decisions': 2,
    })) {
      const values = Array.from({ length: parameters }, () => `'{}'`).join(', ');
      const rows = await young.db.query<{ 'QUERY PLAN': string }>(`explain execute "${name}"(${values})`);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }

    for (const plan of plans) {
      expect(plan).toMatch(/Index Scan/);
      expect(plan).toMatch(/Index Cond/);
      expect(plan).not.toMatch(/Seq Scan on (intents|evidence|matches|claims|decisions)/);
      // Rows must not be compared with all given values: the time would grow quadratically.
      expect(plan).not.toMatch(/Join Filter: .*\bgiven\./);
      // Named rows are found by name, not in the index of open rows.
      expect(plan).not.toMatch(/Filter: .*\b(reference_key|trx_id) = /);
    }
  });
});
