import { randomBytes, randomUUID } from 'node:crypto';
import type { Tenant } from '@pay/contracts';
import { daysBefore, firstIdAt } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import type { Evidence, Intent } from '../src/domain/facts';
import { refreshIntent } from '../src/intake/refresh-intent';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { verifyDecisions } from '../src/decision-chain/verify-decisions';
import { anIntent, expires, intentArrives, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';
import { reviewDesk } from './review-under-test';

const MERCHANTS = Array.from({ length: 16 }, () => randomUUID());
const NOW = new Date();
const OLD = daysBefore(NOW, 500);
const RETENTION = { claimDays: 180, recordDays: 450 };
const never = new AbortController().signal;

let session: SessionUnderTest;
let clock = NOW;
beforeAll(async () => {
  session = await openSession({ merchants: MERCHANTS });
  Object.assign(session.deps, { now: () => clock, newId: () => anId() });
});
afterAll(() => session.close({ rowsByHand: true }));
failOnLeaks();

/** A UUID v7 of the clock's time. */
function anId(): string {
  const hex = randomBytes(9).toString('hex');
  return `${firstIdAt(clock).slice(0, 14)}7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

let used = 0;
function aShop(): Tenant {
  const merchantId = MERCHANTS[used++];
  if (merchantId === undefined) throw new Error('more merchants are needed');
  return { merchantId, environment: 'LIVE' };
}

const after = (minutes: number) => new Date(clock.getTime() + minutes * 60_000);
const intentOf = (tenant: Tenant, given: Parameters<typeof anIntent>[0] = {}): Intent =>
  anIntent({ tenant, id: anId(), reference: aName(), createdAt: clock, expiresAt: after(5), ...given });
const textOf = (tenant: Tenant, given: Parameters<typeof someEvidence>[0] = {}): Evidence =>
  someEvidence({ tenant, smsEventId: anId(), trxId: aName(), providerTime: clock, ingestedAt: clock, ...given });

interface History {
  readonly paid: Intent;
  readonly expired: Intent;
  readonly inReview: Intent;
  readonly texts: { readonly paying: Evidence; readonly lapsed: Evidence; readonly inReview: Evidence };
}

/** One payment, one expired intent, one text without an intent, and one in review. */
async function aHistory(tenant: Tenant): Promise<History> {
  const [paid, expired, inReview] = ['PAYS', 'EXPIRES', 'REVIEW'].map((name) =>
    intentOf(tenant, { reference: `${name}${aName().slice(0, 6)}` }),
  ) as [Intent, Intent, Intent];
  const texts = {
    paying: { ...textOf(tenant), referenceKey: paid.referenceKey },
    lapsed: textOf(tenant),
    inReview: {
      ...textOf(tenant, { amount: (inReview.amount + 1n) as Intent['amount'] }),
      referenceKey: inReview.referenceKey,
    },
  };
  await session.deliver(intentArrives(paid), intentArrives(expired), intentArrives(inReview));
  await session.deliver(smsArrives(texts.paying), smsArrives(texts.lapsed), smsArrives(texts.inReview));
  await session.deliver(expires(expired), { kind: 'window', tenant, smsEventId: texts.lapsed.smsEventId });
  return { paid, expired, inReview, texts };
}

async function at<T>(time: Date, work: () => Promise<T>): Promise<T> {
  clock = time;
  try {
    return await work();
  } finally {
    clock = NOW;
  }
}

const seal = () => sealDecisions(session.deps, never);
const verify = (tenant: Tenant, head?: { position: bigint; link: string }) =>
  verifyDecisions({ ...session.deps, page: 3 }, tenant, { head });
async function sweep(): Promise<void> {
  await session.db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);
  await deleteOldRecords({ ...session.deps, retention: RETENTION }, never);
}
const idsOf = async (table: string, { merchantId }: Tenant, id = 'id') =>
  (await session.db.query(`select ${id} as id from ${table} where merchant_id = $1 order by 1`, [merchantId])).map(
    (row) => row['id'],
  );
const countOf = async (table: string, tenant: Tenant, id?: string) => (await idsOf(table, tenant, id)).length;

/** With full database access, bypassing triggers. */
async function tamper(sql: string, values: readonly unknown[]): Promise<void> {
  await session.db.transaction(async (tx) => {
    await tx.execute('alter table decisions disable trigger user');
    await tx.execute(sql, values);
    await tx.execute('alter table decisions enable trigger user');
  });
}

describe('retention of decisions and their facts', () => {
  it('deletes ended records, keeps open and young ones, and the chain is verified from its cut', async () => {
    const tenant = aShop();
    const old = await at(OLD, () => aHistory(tenant));
    const oldDecisions = await countOf('decisions', tenant);
    const young = await aHistory(tenant);
    await seal();
    const head = (await verify(tenant)).head;

    await sweep();

    expect(await idsOf('intents', tenant)).toEqual(
      [old.inReview.id, young.paid.id, young.expired.id, young.inReview.id].sort(),
    );
    expect(await idsOf('evidence', tenant, 'sms_event_id')).toEqual(
      [old.texts.inReview, ...Object.values(young.texts)].map(({ smsEventId }) => smsEventId).sort(),
    );
    expect(await countOf('matches', tenant)).toBe(4);
    expect(await countOf('decisions', tenant)).toBe(oldDecisions);
    expect(await verify(tenant, { position: BigInt(head.position), link: head.link ?? '' })).toMatchObject({
      broken: null,
      head,
      sealed: oldDecisions,
      payments: 1,
      cut: { position: String(oldDecisions), through: OLD.toISOString() },
    });
  });

  it('deletes nothing before the end of the retention period', async () => {
    const tenant = aShop();
    await at(daysBefore(NOW, RETENTION.recordDays - 1), () => aHistory(tenant));
    await seal();
    const before = await countOf('decisions', tenant);

    await sweep();

    expect([await countOf('decisions', tenant), await countOf('intents', tenant)]).toEqual([before, 3]);
    expect(await verify(tenant)).toMatchObject({ broken: null, cut: null });
  });

  it('keeps an intent and a match while a claim or a dispute refers to them', async () => {
    const tenant = aShop();
    const { paid, expired, texts } = await at(OLD, () => aHistory(tenant));
    await seal();
    await session.db.execute(
      `insert into claims (id, merchant_id, environment, payment_intent_id, trx_id, submitted_at, source, state, outcome, reason, sequence)
       values ($1, $2, 'LIVE', $3, 'ABCDEFGH', $4, 'CHECKOUT', 'OPEN', 'waiting', 'trx_id_not_seen', 1)`,
      [anId(), tenant.merchantId, expired.id, NOW],
    );
    await session.db.execute(
      `insert into disputes (id, merchant_id, environment, payment_intent_id, trx_id, sms_event_id, submitted_at, paid_intent_id, received_amount, created_at)
       values ($1, $2, 'LIVE', $3, 'ABCDEFGH', $4, $5, $6, 1, $5)`,
      [anId(), tenant.merchantId, randomUUID(), texts.paying.smsEventId, NOW, paid.id],
    );

    await sweep();

    expect(await idsOf('intents', tenant)).toEqual(expect.arrayContaining([paid.id, expired.id]));
    expect(await idsOf('evidence', tenant, 'sms_event_id')).toContain(texts.paying.smsEventId);
    expect((await verify(tenant)).broken).toBeNull();
  });

  it('is detected when entries after the cut are removed, or when the cut is changed without the key', async () => {
    const tenant = aShop();
    await at(OLD, () => aHistory(tenant));
    await aHistory(tenant);
    await seal();
    await sweep();
    const { cut } = await verify(tenant);

    await tamper('update decision_chains set cut_position = cut_position + 1 where merchant_id = $1', [
      tenant.merchantId,
    ]);
    expect((await verify(tenant)).broken?.problem).toBe('the signature of the retention cut is invalid');
    await tamper('update decision_chains set cut_position = $2 where merchant_id = $1', [
      tenant.merchantId,
      cut?.position,
    ]);
    await tamper('delete from decisions where merchant_id = $1 and position = $2', [
      tenant.merchantId,
      Number(cut?.position) + 1,
    ]);
    expect((await verify(tenant)).broken?.problem).toContain('is missing');
  });

  it('does not delete an entry that differs from its signature, nor later entries', async () => {
    const tenant = aShop();
    await at(OLD, () => aHistory(tenant));
    await seal();
    const before = await countOf('decisions', tenant);
    await tamper(
      `update decisions set record = replace(record, 'LIVE', 'LIFE') where merchant_id = $1 and position = 3`,
      [tenant.merchantId],
    );

    await sweep();

    expect(await countOf('decisions', tenant)).toBe(before - 2);
    expect(session.lines).toContainEqual(
      expect.objectContaining({ msg: 'decisions.cut_refused', merchantId: tenant.merchantId, position: '3' }),
    );
  });

  it('is the only way to delete a decision: the database refuses one that is not cut off or is younger than 390 days', async () => {
    const tenant = aShop();
    await at(OLD, () => aHistory(tenant));
    await seal();
    await aHistory(tenant);
    await seal();
    const remove = () => session.db.execute('delete from decisions where merchant_id = $1', [tenant.merchantId]);

    await expect(remove()).rejects.toMatchObject({ constraint: 'decisions_are_kept' });
    await sweep();
    await expect(remove()).rejects.toMatchObject({ constraint: 'decisions_are_kept' });
  });

  it('refuses a LIVE text whose payment is older than records are kept: its TrxID may have paid before', async () => {
    const tenant = aShop();
    Object.assign(session.deps, {
      settings: { ...session.deps.settings, recordRetentionMs: RETENTION.recordDays * 86_400_000 },
    });
    const [tooOld, old] = [RETENTION.recordDays, RETENTION.recordDays - 1].map((days) =>
      textOf(tenant, { providerTime: daysBefore(NOW, days) }),
    ) as [Evidence, Evidence];

    await session.deliver(smsArrives(tooOld), smsArrives(old));

    expect(await session.matchOf(tooOld.smsEventId)).toMatchObject({
      status: 'DUPLICATE',
      reason: 'older_than_records',
    });
    expect(await session.matchOf(old.smsEventId)).toMatchObject({ status: 'PENDING' });
  });

  it('lets a person pay an ended intent only while its records are kept', async () => {
    const tenant = aShop();
    const settings = { ...session.deps.settings, recordRetentionMs: RETENTION.recordDays * 86_400_000 };
    Object.assign(session.deps, { settings });
    const expiredOf = async (days: number): Promise<[Intent, Evidence]> => {
      const [intent, text] = await at(daysBefore(NOW, days), async () => {
        const made = intentOf(tenant);
        await session.deliver(intentArrives(made));
        await session.deliver(expires(made));
        return [made, textOf(tenant, { amount: made.amount })] as const;
      });
      const late = { ...text, referenceKey: intent.referenceKey, providerTime: NOW, ingestedAt: NOW };
      await session.deliver(smsArrives(late));
      return [intent, late];
    };
    const desk = reviewDesk(session);
    const pay = ([intent, text]: readonly [Intent, Evidence]) =>
      desk.ask(text.smsEventId, { action: 'link', paymentIntentId: intent.id }, { merchantId: tenant.merchantId });

    const [tooOld, old] = [await expiredOf(RETENTION.recordDays), await expiredOf(RETENTION.recordDays - 1)];
    expect(await pay(tooOld)).toMatchObject({ refusal: { code: 'INTENT_NOT_PENDING' } });
    expect(await session.statusOf(tooOld[0].id)).toBe('EXPIRED');
    await pay(old);
    expect(await session.statusOf(old[0].id)).toBe('PAID');
  });

  it.each([
    { days: RETENTION.recordDays, status: 'EXPIRED', isTaken: false },
    { days: RETENTION.recordDays, status: 'PENDING', isTaken: true },
    { days: RETENTION.recordDays - 1, status: 'EXPIRED', isTaken: true },
  ] as const)('takes an unknown intent of $days days with status $status from intent-api: $isTaken', async (given) => {
    const { days, status, isTaken } = given;
    const tenant = aShop();
    const settings = { ...session.deps.settings, recordRetentionMs: RETENTION.recordDays * 86_400_000 };
    const snapshot = {
      id: randomUUID(),
      customerReference: 'INV-1',
      amount: '500',
      status,
      shownReceivers: [],
      createdAt: daysBefore(NOW, days).toISOString(),
      expiresAt: daysBefore(NOW, days - 1).toISOString(),
      expectedTrxId: null,
      expectedSenderMsisdn: null,
    };
    const fetchIntent = () => Promise.resolve({ ...tenant, sequence: 1, intent: snapshot } as never);

    const refreshed = refreshIntent({ ...session.deps, settings, fetchIntent }, tenant, snapshot.id, { sequence: 1 });

    if (isTaken) await expect(refreshed).resolves.toMatchObject([{ intent: { id: snapshot.id } }]);
    else await expect(refreshed).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('does not break a chain that is being verified when it cuts it', async () => {
    const tenant = aShop();
    await at(OLD, () => aHistory(tenant));
    await aHistory(tenant);
    await seal();
    let cutsLeft = 1;
    // The chain is cut after the verification has read its start.
    const db: Pick<typeof session.db, 'query'> = {
      async query(text, values) {
        const rows = await session.db.query(text, values);
        const isFindCut = typeof text === 'object' && text.name === 'find-decision-cut';
        if (isFindCut && cutsLeft-- > 0) await sweep();
        return rows as never;
      },
    };

    const verified = await verifyDecisions({ ...session.deps, db: db as typeof session.db, page: 3 }, tenant);

    expect(cutsLeft).toBeLessThan(0);
    expect(verified).toMatchObject({ broken: null, cut: { position: expect.any(String) as string } });
  });
});
