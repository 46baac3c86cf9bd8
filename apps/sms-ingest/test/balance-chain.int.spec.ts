import { missingSmsPageSchema, problemsSchema, BALANCE_BREAK, type EventOf } from '@pay/contracts';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { balanceMetrics } from '../src/balances/balance-metrics';
import { balanceChainId } from '../src/balances/balance-chain-id';
import { countOpenGaps } from '../src/balances/missing-sms-repository';
import { followBalances, type FollowBalancesDeps } from '../src/balances/follow-balances';
import { listRereadRequests } from '../src/balances/list-reread-requests';
import {
  aPhone,
  BKASH,
  phoneApi,
  startService,
  type PhoneUnderTest,
  type ServiceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService({ limits: { MISSING_SMS_GRACE_SECONDS: 0 } });
});
afterAll(() => service.stop());
failOnLeaks();

const never = new AbortController().signal;
const DAY = Date.UTC(2026, 10, 21, 4, 0);
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
let made = 0;

interface Received {
  /** Taka. */
  readonly amount: number;
  readonly balance: number;
  /** Minutes after 10:00 in Bangladesh. */
  readonly minute: number;
}

function textOf({ amount, balance, minute }: Received): string {
  made += 1;
  const tail = [made / 576, made / 24, made].map((part) => LETTERS.charAt(Math.floor(part) % 24)).join('');
  const clock = new Date(DAY + (minute + 360) * 60_000).toISOString().slice(11, 16);
  const taka = (sum: number) => sum.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',');
  return `You have received Tk ${taka(amount)} from 01711000201. Fee Tk 0.00. Balance Tk ${taka(balance)}. TrxID DKL9TEX${tail} at 21/11/2026 ${clock}`;
}

async function send(
  phone: PhoneUnderTest,
  ...received: readonly (Received & { readonly text?: string })[]
): Promise<string[]> {
  const messages = received.map((each) => ({
    sender: 'bKash',
    message: each.text ?? textOf(each),
    receivedAt: new Date(DAY + each.minute * 60_000 + 5_000).toISOString(),
  }));
  const { body } = await phoneApi(service.url, phone.deviceKey).incoming({ messages });
  return body.results.map(({ id }: { id: string }) => id);
}

async function carefulPhone(reviewBalanceBreaks: boolean): Promise<PhoneUnderTest> {
  const phone = await aPhone(service.db);
  const evidenceRules = {
    reviewForgerySignals: false,
    requirePayerAgreement: false,
    reviewOlderThanHours: null,
    reviewBalanceBreaks,
  };
  await service.db.execute(
    `update directory_facts set data = data || jsonb_build_object('evidenceRules', $2::jsonb) where kind = 'merchant' and id = $1`,
    [phone.merchantId, JSON.stringify(evidenceRules)],
  );
  return phone;
}

async function missing({ merchantId }: PhoneUnderTest, filter = '') {
  const path = `/internal/v1/missing-sms?merchantId=${merchantId}${filter}`;
  return (await service.asDashboard.request('GET', path, { schema: missingSmsPageSchema })).data;
}

async function allExamined(): Promise<void> {
  await eventually(async () => {
    const rows = await service.db.query('select 1 from balance_texts where verdict is null limit 1');
    return rows.length === 0;
  }, 'every text is examined');
}

async function signalsOf(id: string): Promise<{ sequence: number; signals: string[] }[]> {
  const events = (await service.announced()).filter((event: EventOf) => event.aggregateId === id);
  return events.map((event) => ({
    sequence: event.sequence,
    signals: ((event.data as { signals?: { name: string; detail: string }[] }).signals ?? [])
      .filter(({ name }) => name === BALANCE_BREAK)
      .map(({ detail }) => detail),
  }));
}

describe('a text that was lost', () => {
  it('is found by the balances around it, requested from the phone, and explained when it arrives late', async () => {
    const phone = await aPhone(service.db);
    const lost: Received = { amount: 500, balance: 1600, minute: 5 };
    await send(phone, { amount: 100, balance: 1100, minute: 2 }, { amount: 50, balance: 1650, minute: 9 });

    const [found] = await eventually(async () => {
      const gaps = await missing(phone);
      return gaps.length > 0 ? gaps : undefined;
    }, 'the gap is found');
    expect(found).toMatchObject({
      environment: 'SANDBOX',
      receiverMsisdn: BKASH.msisdn,
      direction: 'IN',
      amount: '500',
      status: 'OPEN',
      from: new Date(DAY + 2 * 60_000).toISOString(),
      to: new Date(DAY + 9 * 60_000).toISOString(),
      receiverAccountIds: [phone.accounts.BKASH_SEND_MONEY],
      sentence: `Tk 500 reached ${BKASH.msisdn} between 10:02 and 10:09 and no SMS came`,
    });
    expect(await missing(phone, '&environment=LIVE')).toEqual([]);
    expect(await missing(phone, '&status=EXPLAINED')).toEqual([]);
    expect(await missing(phone, `&receiverAccountId=${phone.accounts.NAGAD_SEND_MONEY}`)).toEqual([]);

    const foundAt = Date.parse(found!.foundAt);
    expect(await countOpenGaps(service.db, new Date(foundAt))).toEqual([
      { environment: 'SANDBOX', direction: 'IN', value: 1 },
    ]);
    expect(await countOpenGaps(service.db, new Date(foundAt + 25 * 3_600_000))).toEqual([]);
    const shown = await service.metrics.registry.getSingleMetricAsString('sms_missing_open');
    expect(shown).toMatch(/environment="SANDBOX",direction="IN".*} 1$/m);
    expect(shown).toMatch(/environment="LIVE",direction="IN".*} 0$/m);

    const asked = await rereads(phone);
    expect(asked).toEqual([
      { receiverAccountId: phone.accounts.BKASH_SEND_MONEY, simSlot: 1, from: expect.any(Date), to: expect.any(Date) },
    ]);
    expect(asked[0]!.from.getTime()).toBeLessThanOrEqual(DAY + 2 * 60_000);
    expect(asked[0]!.to.getTime()).toBeGreaterThanOrEqual(DAY + 9 * 60_000);
    await rereads(phone);
    expect(await rereads(phone)).toEqual([]);

    await send(phone, lost);
    const [explained] = await eventually(async () => {
      const gaps = await missing(phone, '&status=EXPLAINED');
      return gaps.length > 0 ? gaps : undefined;
    }, 'the gap is explained');
    expect(explained).toMatchObject({ id: found!.id, explainedAt: expect.any(String), foundAt: found!.foundAt });
    expect(await missing(phone, '&status=OPEN')).toEqual([]);
    expect(await service.metrics.registry.getSingleMetricAsString('sms_missing_found_total')).toContain(
      'direction="IN"',
    );
  });

  it('makes a gap of two texts smaller, which is requested again', async () => {
    const phone = await aPhone(service.db);
    await send(phone, { amount: 100, balance: 1100, minute: 2 }, { amount: 50, balance: 1850, minute: 9 });
    const [both] = await eventually(
      async () => ((await missing(phone)).length > 0 ? missing(phone) : undefined),
      'found',
    );
    expect(both).toMatchObject({ amount: '700' });
    await rereads(phone);
    await rereads(phone);

    await send(phone, { amount: 500, balance: 1600, minute: 4 });
    await eventually(async () => (await missing(phone))[0]?.amount === '200', 'one of them came');
    expect(await missing(phone)).toMatchObject([
      {
        id: both!.id,
        status: 'OPEN',
        from: new Date(DAY + 4 * 60_000).toISOString(),
        sentence: expect.stringContaining('Tk 200'),
      },
    ]);
    expect(await rereads(phone)).toHaveLength(1);
  });
});

function rereads(phone: PhoneUnderTest) {
  const { merchantId, environment, accounts } = phone;
  const directory: FollowBalancesDeps['directory'] = directoryOf(phone);
  const sims = [{ simSlot: 1, receiverAccountIds: Object.values(accounts) }];
  return listRereadRequests({ db: service.db, directory, mostAsks: 2 }, { merchantId, environment, sims });
}

function directoryOf({ merchantId, environment, accounts }: PhoneUnderTest): FollowBalancesDeps['directory'] {
  const id = accounts.BKASH_SEND_MONEY ?? '';
  const owned = { merchantId, environment, version: 1, deleted: false, isActive: true };
  return {
    merchant: () => Promise.resolve(undefined),
    receiverAccounts: () => Promise.resolve([{ ...owned, id, ...BKASH }]),
  };
}

describe('a text that does not follow', () => {
  it('has the signal for a merchant who reviews such texts, and loses it when the missing text arrives', async () => {
    const phone = await carefulPhone(true);
    const [first] = await send(phone, { amount: 100, balance: 1100, minute: 2 });
    const [follows] = await send(phone, { amount: 10, balance: 1110, minute: 2 });
    const [early] = await send(phone, { amount: 50, balance: 1660, minute: 9 });
    expect(await signalsOf(first!)).toEqual([{ sequence: 1, signals: [] }]);
    expect(await signalsOf(follows!)).toEqual([{ sequence: 1, signals: [] }]);
    expect((await signalsOf(early!))[0]).toEqual({ sequence: 1, signals: ['does_not_follow'] });

    await send(phone, { amount: 500, balance: 1610, minute: 5 });
    await eventually(async () => (await signalsOf(early!)).length > 1, 'its signals are published again');
    expect((await signalsOf(early!)).slice(1)).toEqual([{ sequence: 2, signals: [] }]);
    const rows = await service.db.query<{ signals: unknown }>('select signals from sms_events where id = $1', [early]);
    expect(JSON.stringify(rows)).not.toContain(BALANCE_BREAK);
  });

  it('has the signal while its minute has too many texts to be checked, and loses it when the chain fits', async () => {
    const phone = await carefulPhone(true);
    await send(phone, { amount: 100, balance: 1100, minute: 2 });
    await service.db.execute(
      `insert into balance_texts (sms_event_id, chain_id, at, received_at, balance, effects, verdict)
       select gen_random_uuid(), $1, $2, $2, 1000000 * n, array[100], 'UNJUDGED' from generate_series(1, 2000) n`,
      [chainOf(phone), new Date(DAY + 5 * 60_000)],
    );
    const [doubted] = await send(phone, { amount: 50, balance: 1650, minute: 5 });
    await allExamined();
    expect(await signalsOf(doubted!)).toEqual([{ sequence: 1, signals: ['does_not_follow'] }]);

    await service.db.execute('delete from balance_texts where chain_id = $1 and balance >= 1000000', [chainOf(phone)]);
    await send(phone, { amount: 500, balance: 1600, minute: 4 });
    await eventually(async () => (await signalsOf(doubted!)).length > 1, 'its signals are published again');
    expect((await signalsOf(doubted!)).slice(1)).toEqual([{ sequence: 2, signals: [] }]);
  });

  it('has the signal if it is dated before the first text of the wallet, and loses it only if it leads to that text', async () => {
    const [phone, other] = [await carefulPhone(true), await carefulPhone(true)];
    const first = { amount: 100, balance: 1100, minute: 9 };
    await send(phone, first);
    await send(other, first);
    await allExamined();

    const [leads] = await send(phone, { amount: 40, balance: 1000, minute: 5 });
    const [forged] = await send(other, { amount: 900, balance: 5000, minute: 5 });
    await eventually(async () => (await signalsOf(leads!)).length > 1, 'its signals are published again');
    await allExamined();
    expect((await signalsOf(leads!)).map(({ signals }) => signals)).toEqual([['does_not_follow'], []]);
    expect((await signalsOf(forged!)).map(({ signals }) => signals)).toEqual([['does_not_follow']]);
  });

  it('has the signal if it continues an old balance and the next text does not, until a late text explains that', async () => {
    const phone = await carefulPhone(true);
    const chain = Array.from({ length: 6 }, (_, n) => ({ amount: 10, balance: 1010 + 10 * n, minute: 5 * n }));
    await send(phone, ...chain);
    await allExamined();

    const [forged] = await send(phone, { amount: 900, balance: 1950, minute: 21 });
    await allExamined();
    expect(await signalsOf(forged!)).toEqual([{ sequence: 1, signals: ['does_not_follow'] }]);

    const sent = { amount: 900, balance: 1050, minute: 23 };
    const text =
      'Send Money Tk 900.00 to 01800000701 successful. Ref tea. Fee Tk 0.00. Balance Tk 1,050.00. ' +
      'TrxID DKL9SENT01 at 21/11/2026 10:23';
    await send(phone, { ...sent, text });
    await eventually(async () => (await signalsOf(forged!)).length > 1, 'its signals are published again');
    expect((await signalsOf(forged!)).slice(1)).toEqual([{ sequence: 2, signals: [] }]);
  });

  it('has no signal when a phone sends the texts that it held back in one request, in any order', async () => {
    const phone = await carefulPhone(true);
    const chain = Array.from({ length: 12 }, (_, n) => ({ amount: 10, balance: 1010 + 10 * n, minute: 2 * n }));
    await send(phone, ...chain.slice(0, 4));
    await allExamined();
    await send(phone, ...chain.slice(7));
    await allExamined();

    const late = await send(phone, ...[5, 4, 6].map((n) => chain[n]!));
    expect(await Promise.all(late.map(signalsOf))).toEqual(late.map(() => [{ sequence: 1, signals: [] }]));
    await allExamined();
    const doubted = await service.db.query('select 1 from balance_texts where chain_id = $1 and is_doubted', [
      chainOf(phone),
    ]);
    expect(doubted).toEqual([]);
  });

  it('has no signal for other merchants until the texts around it continue without it', async () => {
    const phone = await carefulPhone(false);
    const ids = await send(
      phone,
      ...[
        { amount: 100, balance: 1100, minute: 2 },
        { amount: 900, balance: 5000, minute: 4 },
      ],
    );
    await allExamined();
    expect(await signalsOf(ids[1]!)).toEqual([{ sequence: 1, signals: [] }]);

    await send(phone, { amount: 50, balance: 1150, minute: 9 });
    await eventually(async () => (await signalsOf(ids[1]!)).length > 1, 'the break is published');
    expect((await signalsOf(ids[1]!))[1]).toEqual({ sequence: 2, signals: ['passed_over'] });
    expect(await signalsOf(ids[0]!)).toHaveLength(1);
    expect(await missing(phone, '&status=OPEN')).toEqual([]);
  });
});

describe('a forged text that fits no balance', () => {
  const honest: Received = { amount: 100, balance: 1100, minute: 2 };
  const later: Received = { amount: 50, balance: 1150, minute: 9 };

  /** The decision of the reconciler; returns the payment intent. */
  async function decide(id: string | undefined, status: string): Promise<string> {
    const intentId = uuidv7();
    await service.db.execute('update sms_events set status = $2, payment_intent_id = $3 where id = $1', [
      id,
      status,
      intentId,
    ]);
    return intentId;
  }
  async function doubtful({ merchantId, environment }: PhoneUnderTest): Promise<string[]> {
    const { problems } = await service.asDashboard.request('POST', '/internal/v1/problems', {
      schema: problemsSchema,
      body: { tenants: [{ merchantId, environment }], kinds: ['payment_doubtful'] },
    });
    return problems.map(({ subject }) => subject).sort();
  }

  it('is reported if it has paid and later texts pass over it, unlike honest texts and texts in review', async () => {
    const phone = await aPhone(service.db);
    const ids = await send(
      phone,
      honest,
      { amount: 900, balance: 5000, minute: 4 },
      { amount: 901, balance: 7000, minute: 5 },
      { amount: 902, balance: 9000, minute: 6 },
    );
    await decide(ids[0], 'MATCHED');
    const paid = await decide(ids[1], 'MATCHED');
    await decide(ids[2], 'MATCH_PENDING');
    const byPerson = await decide(ids[3], 'MANUALLY_RESOLVED');
    await allExamined();
    expect(await doubtful(phone)).toEqual([]);

    const [next] = await send(phone, later);
    await decide(next, 'MATCHED');
    await eventually(async () => (await doubtful(phone)).length > 0, 'it is reported');
    expect(await doubtful(phone)).toEqual([paid, byPerson].sort());
  });

  it('is reported no longer when late texts show that the provider wrote it', async () => {
    const phone = await aPhone(service.db);
    const ids = await send(phone, honest, { amount: 900, balance: 5000, minute: 4 }, later);
    const intentId = await decide(ids[1], 'MATCHED');
    await allExamined();
    expect(await doubtful(phone)).toEqual([intentId]);

    const sent =
      'Send Money Tk 3,900.00 to 01800000701 successful. Ref tea. Fee Tk 0.00. Balance Tk 1,100.00. ' +
      'TrxID DKL9SENT02 at 21/11/2026 10:06';
    await send(phone, { amount: 3000, balance: 4100, minute: 3 }, { ...later, minute: 6, text: sent });
    await allExamined();
    expect(await doubtful(phone)).toEqual([]);
  });

  it('that was doubted when it arrived has the signal with the new detail', async () => {
    const phone = await carefulPhone(true);
    await send(phone, honest);
    await allExamined();
    const [forged] = await send(phone, { amount: 900, balance: 5000, minute: 4 });
    const intentId = await decide(forged, 'MANUALLY_RESOLVED');
    await allExamined();
    expect(await doubtful(phone)).toEqual([]);

    await send(phone, later);
    await allExamined();
    expect((await signalsOf(forged!)).map(({ signals }) => signals)).toEqual([['does_not_follow'], ['passed_over']]);
    expect(await doubtful(phone)).toEqual([intentId]);
  });
});

describe('two processes that follow the same chains, one of which dies again and again', () => {
  // A third one would sometimes leave nothing to the one that dies.
  const usual: { service?: ServiceUnderTest } = {};
  beforeAll(async () => {
    usual.service = service;
    service = await startService({ limits: { MISSING_SMS_GRACE_SECONDS: 0 }, without: ['follow-balances'] });
  });
  afterAll(async () => {
    await service.stop();
    service = usual.service!;
  });

  it('examine every text and store exactly the existing gaps', async () => {
    const phone = await aPhone(service.db);
    const texts = Array.from({ length: 120 }, (_, n): Received => ({
      amount: n + 1,
      balance: 1000 + ((n + 1) * (n + 2)) / 2,
      minute: Math.floor(n / 2),
    }));
    const came = texts.filter((_, n) => n % 17 !== 9);
    const shuffled = came.map((text, n) => ({ text, key: (n * 7919) % 101 })).sort((a, b) => a.key - b.key);
    let deaths = 0;
    const dying = replica(phone, () => {
      deaths += 1;
      if (deaths % 2 === 1) throw new Error('killed');
    });
    const followAndDie = () =>
      followBalances(dying, never).catch((error: unknown) => expect(error).toEqual(new Error('killed')));
    for (let n = 0; n < shuffled.length; n += 30) {
      await send(phone, ...shuffled.slice(n, n + 30).map(({ text }) => text));
      await followAndDie();
      await Promise.all([followAndDie(), followBalances(replica(phone), never)]);
    }
    await followBalances(replica(phone), never);
    await allExamined();

    const open = await service.db.query<{ amount: string }>(
      `select amount from missing_sms where merchant_id = $1 and status <> 'EXPLAINED' order by missing_from`,
      [phone.merchantId],
    );
    expect(open.map(({ amount }) => Number(amount) / 100)).toEqual(
      texts.filter((_, n) => n % 17 === 9).map(({ amount }) => amount),
    );
    const breaks = await service.db.query(`select 1 from balance_texts where verdict = 'BREAK' and chain_id = $1`, [
      chainOf(phone),
    ]);
    expect(breaks).toEqual([]);
    expect(deaths).toBeGreaterThan(1);
  });

  it('report a chain that fails as an error of the task, after all others were examined', async () => {
    const phones = [await aPhone(service.db), await aPhone(service.db), await aPhone(service.db)];
    for (const phone of phones) await send(phone, { amount: 1, balance: 2, minute: 0 });
    const [failing = '', ...others] = phones.map(chainOf).sort();
    const { directory, ...deps } = replica(phones[0]!);
    const merchant = (id: string) =>
      id === phones.find((phone) => chainOf(phone) === failing)?.merchantId
        ? Promise.reject(new Error('not readable'))
        : directory.merchant(id);

    await expect(followBalances({ ...deps, directory: { ...directory, merchant } }, never)).rejects.toThrow(
      'not readable',
    );

    const examined = await service.db.query<{ id: string }>(
      'select chain_id as id from balance_texts where verdict is not null and chain_id = any($1::uuid[]) order by 1',
      [[failing, ...others]],
    );
    expect(examined.map(({ id }) => id)).toEqual(others);
  });

  it('both fail at such a chain, also if one of them finds it locked by the other', async () => {
    const phones = [await aPhone(service.db), await aPhone(service.db)];
    const [first, second] = [0, 1].map((n): Received => ({ amount: 1, balance: 2 + n, minute: n }));
    for (const phone of phones) await send(phone, first!);
    await followBalances(replica(phones[0]!), never);
    for (const phone of phones) await send(phone, second!);
    const [failing, other] = phones.sort((a, b) => (chainOf(a) < chainOf(b) ? -1 : 1));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isLocked = false;
    const { directory, ...deps } = replica(failing!);
    const merchant = async (id: string) => {
      if (id !== failing!.merchantId) return undefined;
      isLocked = true;
      await released;
      throw new Error('not readable');
    };
    const follow = () => followBalances({ ...deps, directory: { ...directory, merchant } }, never);

    const run = follow();
    await eventually(() => isLocked, 'the first process has locked the chain that fails');
    const both = Promise.allSettled([run, follow()]);
    await eventually(async () => {
      const sql = 'select 1 from balance_texts where verdict is null and chain_id = $1';
      return (await service.db.query(sql, [chainOf(other!)])).length === 0;
    }, 'the second process has skipped it');
    release();

    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

function chainOf({ merchantId, environment }: PhoneUnderTest): string {
  return balanceChainId({ merchantId, environment, ...BKASH });
}

function replica(phone: PhoneUnderTest, beforeCommit: () => void = () => undefined): FollowBalancesDeps {
  const { db, messaging } = service;
  const log = createLogger({ service: 'sms-ingest', level: 'silent' });
  const directory = directoryOf(phone);
  return {
    db,
    messaging,
    log,
    newId: uuidv7,
    page: 7,
    directory: {
      ...directory,
      merchant: (id) => {
        beforeCommit();
        return directory.merchant(id);
      },
    },
    metrics: balanceMetrics(createMetrics('sms-ingest')),
    now: () => new Date(),
  };
}
