import { undecidedSchema, type MatchDecided } from '@pay/contracts';
import { draft, raiseEpoch } from '@pay/messaging';
import { openDatabase } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { bkashSendMoneyText, eventually } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { findProblems } from '../src/alerts/problem-repository';
import { enterIntake } from '../src/db/intake-lock';
import { migrations } from '../src/db/migrations';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let phone: PhoneUnderTest;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  phone = await aPhone(service.db);
});

async function anSms(of = phone, text = bkashSendMoneyText({ amount: '500' })): Promise<string> {
  const sms = { sender: 'bKash', message: text, receivedAt: new Date().toISOString() };
  return (await phoneApi(service.url, of.deviceKey).incoming(sms)).body.id;
}

interface Decision {
  readonly of?: Pick<PhoneUnderTest, 'merchantId' | 'environment'>;
  readonly type?: 'match.confirmed' | 'match.pending' | 'match.failed' | 'match.expired' | 'match.unparsed';
  readonly data?: Partial<MatchDecided>;
}

const intentId = uuidv7();

function decided(sms: MatchDecided['sms'], { of = phone, type = 'match.confirmed', data = {} }: Decision = {}) {
  const matchId = uuidv7();
  return draft(type, {
    environment: of.environment,
    merchantId: of.merchantId,
    aggregateId: matchId,
    sequence: 1,
    occurredAt: new Date(),
    data: {
      matchId,
      matchStatus: 'MATCHED',
      path: 'REFERENCE',
      reason: 'all_checks_hold',
      checks: null,
      decidedBy: 'system',
      paymentIntentId: intentId,
      intent: null,
      sms,
      evidence: null,
      ...data,
    },
  });
}

/** Through the real broker to sms-ingest's queue. */
async function send(...drafts: ReturnType<typeof decided>[]): Promise<void> {
  await service.db.transaction((tx) => service.messaging.publish(tx, drafts));
}

async function stateOf(id: string, of = phone) {
  const { body } = await phoneApi(service.url, of.deviceKey).statusBatch({ ids: [id] });
  return body.results[0];
}

async function undecidedOf({ merchantId }: { readonly merchantId: string }) {
  const { undecided } = await service.asReconciler.request('GET', '/internal/v1/undecided', {
    schema: undecidedSchema,
  });
  return undecided.filter((each) => each.merchantId === merchantId);
}

describe('a decision of the reconciler', () => {
  it('is stored with its SMS', async () => {
    const id = await anSms();
    expect(await stateOf(id)).toEqual({ id, status: 'PARSED', matchStatus: null, paymentIntentId: null });

    await send(decided({ id, status: 'MATCHED', sequence: 1 }));

    await eventually(async () => (await stateOf(id)).status === 'MATCHED', 'the decision arrives');
    expect(await stateOf(id)).toEqual({ id, status: 'MATCHED', matchStatus: 'MATCHED', paymentIntentId: intentId });
  });

  it('is applied when it has the sequence of one that a promoted reconciler has lost', async () => {
    const id = await anSms();
    await send(
      decided(
        { id, status: 'MATCH_PENDING', sequence: 1 },
        { type: 'match.pending', data: { matchStatus: 'PENDING' } },
      ),
    );
    await eventually(async () => (await stateOf(id)).status === 'MATCH_PENDING', 'the lost decision was applied');

    // In this test the services share a database: its epoch is the one in which the decision is published.
    await raiseEpoch(service.db);
    await send(decided({ id, status: 'MATCHED', sequence: 1 }));

    await eventually(async () => (await stateOf(id)).status === 'MATCHED', 'the next decision is applied');
  });

  it('that differs from the applied one of the same epoch and sequence is reported and ignored', async () => {
    const id = await anSms();
    await send(decided({ id, status: 'MATCHED', sequence: 1 }));
    await eventually(async () => (await stateOf(id)).status === 'MATCHED', 'the first decision is applied');

    await send(
      decided({ id, status: 'FAILED', sequence: 1 }, { type: 'match.failed', data: { matchStatus: 'FAILED' } }),
    );

    await eventually(
      () => service.lines.some((line) => line['msg'] === 'sequence.conflict' && line['id'] === id),
      'the conflict is reported',
    );
    expect((await stateOf(id)).status).toBe('MATCHED');
  });

  it('that is older than the applied one changes nothing, in any order and when repeated', async () => {
    const id = await anSms();
    const pending = () =>
      decided(
        { id, status: 'MATCH_PENDING', sequence: 1 },
        { type: 'match.pending', data: { matchStatus: 'PENDING', paymentIntentId: null } },
      );
    const matched = () => decided({ id, status: 'MATCHED', sequence: 2 });
    await send(matched());
    await eventually(async () => (await stateOf(id)).status === 'MATCHED', 'the newer decision arrives');

    // On their own, and together with the newer one: a batch may hold either.
    for (const late of [[pending()], [pending(), matched(), pending()]]) {
      const marker = await anSms();
      await send(...late, decided({ id: marker, status: 'MATCHED', sequence: 1 }));
      await eventually(async () => (await stateOf(marker)).status === 'MATCHED', 'everything before has arrived');
      expect(await stateOf(id)).toMatchObject({ status: 'MATCHED', matchStatus: 'MATCHED' });
    }
  });

  it('stores its reason for a failed SMS, and keeps the reason of the parser for an unparsed one', async () => {
    const failed = await anSms();
    const unparsed = await anSms(phone, 'Eid Mubarak!');
    await send(
      decided(
        { id: failed, status: 'FAILED', sequence: 1 },
        { type: 'match.failed', data: { matchStatus: 'FAILED', reason: 'method_not_allowed', paymentIntentId: null } },
      ),
      decided(
        { id: unparsed, status: 'UNPARSED', sequence: 1 },
        { type: 'match.unparsed', data: { matchStatus: 'UNPARSED', reason: 'sms_unparsed', paymentIntentId: null } },
      ),
    );

    await eventually(async () => (await stateOf(unparsed)).matchStatus === 'UNPARSED', 'both decisions arrive');
    const rows = await service.db.query<{ id: string; failure_reason: string }>(
      'select id, failure_reason from sms_events where id = any($1)',
      [[failed, unparsed]],
    );
    expect(Object.fromEntries(rows.map((row) => [row.id, row.failure_reason]))).toEqual({
      [failed]: 'method_not_allowed',
      [unparsed]: 'unsupported_format',
    });
  });

  it('by which a text pays that was passed over long before makes its payment doubtful from now on, once', async () => {
    const [doubtful, refused, paidBefore] = [await anSms(), await anSms(), await anSms()];
    const pending = { type: 'match.pending', data: { matchStatus: 'PENDING', paymentIntentId: null } } as const;
    await send(
      ...[doubtful, refused].map((id) => decided({ id, status: 'MATCH_PENDING', sequence: 1 }, pending)),
      decided({ id: paidBefore, status: 'MATCHED', sequence: 1 }),
    );
    await eventually(async () => (await stateOf(paidBefore)).status === 'MATCHED', 'the texts wait or have paid');
    await service.db.execute(
      `update sms_events set passed_over_at = now() - interval '30 hours' where id = any($1::uuid[])`,
      [[doubtful, refused, paidBefore]],
    );
    const found = async () => (await findProblems(service.db, [phone], ['payment_doubtful'])).problems;
    expect(await found()).toEqual([]);

    const before = new Date();
    const matchFailed = { type: 'match.failed', data: { matchStatus: 'FAILED', paymentIntentId: null } } as const;
    await send(
      decided({ id: doubtful, status: 'MATCHED', sequence: 2 }),
      decided({ id: refused, status: 'FAILED', sequence: 2 }, matchFailed),
      decided({ id: paidBefore, status: 'MATCHED', sequence: 2 }, { data: { paymentIntentId: uuidv7() } }),
    );
    await eventually(async () => (await stateOf(refused)).status === 'FAILED', 'the decisions arrive');

    const problems = await found();
    expect(problems).toEqual([expect.objectContaining({ kind: 'payment_doubtful', subject: intentId })]);
    expect(Date.parse(problems[0]!.since)).toBeGreaterThanOrEqual(before.getTime());
    const [old] = await service.db.query<{ count: number }>(
      `select count(*)::int as count from sms_events where id = any($1::uuid[]) and passed_over_at < now() - interval '29 hours'`,
      [[refused, paidBefore]],
    );
    expect(old).toEqual({ count: 2 });
  });

  it('about an SMS of another merchant, without an SMS or about an unknown one changes nothing', async () => {
    const id = await anSms();
    const marker = await anSms();
    await send(
      decided({ id, status: 'MATCHED', sequence: 1 }, { of: await aPhone(service.db) }),
      decided({ id, status: 'MATCHED', sequence: 1 }, { of: { ...phone, environment: 'LIVE' } }),
      decided(null, { type: 'match.expired', data: { matchStatus: 'EXPIRED' } }),
      decided({ id: uuidv7(), status: 'MATCHED', sequence: 1 }),
      decided({ id: marker, status: 'MATCHED', sequence: 1 }),
    );

    await eventually(
      async () => (await stateOf(marker)).status === 'MATCHED',
      'everything before the marker has arrived',
    );
    expect(await stateOf(id)).toMatchObject({ status: 'PARSED', matchStatus: null });
  });
});

describe('status-batch', () => {
  it('responds in the order of the request and omits SMS of other merchants and environments', async () => {
    const [first, second] = [await anSms(), await anSms()];
    const foreign = await anSms(await aPhone(service.db));
    const otherWorld = await anSms(
      await aPhone(service.db, { merchantId: phone.merchantId, environment: 'LIVE', receivers: [] }),
    );
    const ids = [second, foreign, uuidv7(), first.toUpperCase(), otherWorld, second];
    const { status, body } = await phoneApi(service.url, phone.deviceKey).statusBatch({ ids });

    expect(status).toBe(200);
    expect(body.results.map((each: { id: string }) => each.id)).toEqual([second, first]);
  });

  it.each([{}, { ids: 'x' }, { ids: ['not an id'] }, { ids: Array.from({ length: 501 }, () => intentId) }])(
    'refuses %#, naming the field',
    async (body) => {
      const answer = await phoneApi(service.url, phone.deviceKey).statusBatch(body);
      expect(answer).toMatchObject({ status: 400, body: { message: [expect.stringMatching(/^ids/)] } });
    },
  );
});

describe('the list of undecided SMS', () => {
  it('contains the oldest undecided SMS of each tenant', async () => {
    const before = Date.now();
    const oldest = await anSms();
    const next = await anSms();
    await anSms(phone, 'Eid Mubarak!');
    const after = Date.now();

    const [undecided, ...rest] = await undecidedOf(phone);
    expect(rest).toEqual([]);
    expect(undecided).toMatchObject({ merchantId: phone.merchantId, environment: 'SANDBOX' });
    expect(Date.parse(undecided!.oldest)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(undecided!.oldest)).toBeLessThanOrEqual(after);

    await send(decided({ id: oldest, status: 'MATCHED', sequence: 1 }));
    await eventually(async () => (await stateOf(oldest)).status === 'MATCHED', 'the oldest is decided');
    const [later] = await undecidedOf(phone);
    expect(Date.parse(later!.oldest)).toBeGreaterThanOrEqual(Date.parse(undecided!.oldest));

    await send(decided({ id: next, status: 'MATCHED', sequence: 1 }));
    await eventually(async () => (await undecidedOf(phone)).length === 0, 'nothing is left to be decided');
  });

  it('is refused while an earlier SMS is still being stored', async () => {
    const log = createLogger({ service: 'sms-ingest', level: 'silent' });
    const slow = await openDatabase({
      url: service.databaseUrl,
      poolSize: 1,
      applicationName: 'a slow replica',
      log,
      migrations,
    });
    let finish = () => {};
    let underWay: Promise<void> | undefined;
    await new Promise<void>((hasEntered) => {
      underWay = slow.transaction(async (tx) => {
        enterIntake(tx);
        await tx.query('select 1');
        hasEntered();
        await new Promise<void>((resolve) => (finish = resolve));
      });
    });

    await expect(undecidedOf(phone)).rejects.toThrow();
    expect(await anSms()).toEqual(expect.any(String));

    finish();
    await underWay;
    await slow.close();
    await eventually(async () => (await undecidedOf(phone)).length === 1, 'it is answered again');
  });

  it('is available to the reconciler only', async () => {
    const response = await fetch(`${service.url}/internal/v1/undecided`);
    expect(response.status).toBe(404);
  });
});
