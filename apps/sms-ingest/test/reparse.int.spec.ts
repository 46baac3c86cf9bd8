import { reparseResponseSchema, type DeviceFact, type ReceiverAccountFact, type ReparseReport } from '@pay/contracts';
import { hashKey } from '@pay/http';
import { draft } from '@pay/messaging';
import { createLogger, parseOptions } from '@pay/runtime';
import { aRandomTrxId, bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { reparseCommand } from '../src/cli/reparse-options';
import { runReparse } from '../src/cli/run-reparse';
import { balanceChainId } from '../src/balances/balance-chain-id';
import { deleteOldTexts } from '../src/texts/delete-old-texts';
import { READERS, type Reader } from '../src/domain/parse-sms';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const log = createLogger({ service: 'sms-ingest', level: 'silent' });
const receivedAt = '2026-11-21T09:00:00.000Z';
const REVIEWS_NOTHING = { reviewForgerySignals: false, requirePayerAgreement: false, reviewOlderThanHours: null };
const failing: Reader = () => {
  throw new RangeError('no such thing');
};

let service: ServiceUnderTest;
/** The parser of the moment. */
let parser: Reader = READERS.BKASH;
beforeAll(async () => {
  service = await startService({ readers: { ...READERS, BKASH: (text) => parser(text) } });
});
afterAll(() => service.stop());
failOnLeaks();

async function received(phone: PhoneUnderTest, by: Reader, message = bkashSendMoneyText({ amount: '500' })) {
  parser = by;
  const sms = { sender: 'bKash', message, receivedAt, simSlot: 1 };
  const { status, body } = await phoneApi(service.url, phone.deviceKey).incoming(sms);
  parser = READERS.BKASH;
  expect(status).toBe(202);
  return body as { id: string; status: string; duplicate: boolean };
}

function reparse(phone: PhoneUnderTest, body: Record<string, unknown> = {}): Promise<ReparseReport> {
  const tenant = { merchantId: phone.merchantId, environment: phone.environment };
  const path = '/internal/v1/sms-events/reparse';
  return service.asDashboard.request('POST', path, { schema: reparseResponseSchema, body, tenant });
}

const rowOf = async (id: string) => (await service.db.query('select * from sms_events where id = $1', [id]))[0];
const announced = async (id: string) =>
  (await service.announced())
    .filter(({ aggregateId }) => aggregateId === id)
    .map(({ type, sequence }) => [type, sequence]);

describe('a text that was not parsed', () => {
  it('is parsed in a dry run, which reports the changes without text or numbers', async () => {
    const phone = await aPhone(service.db);
    const message = bkashSendMoneyText({ amount: '1250.5', sender: '01711000999', trxId: aRandomTrxId() });
    const { id } = await received(phone, failing, message);
    const before = await rowOf(id);

    const report = await reparse(phone);

    expect(report).toMatchObject({ dryRun: true, examined: 1, changed: 1, unchanged: 0, next: null });
    expect(report.changes).toEqual([
      {
        id,
        receivedAt,
        before: expect.objectContaining({ status: 'UNPARSED', reason: 'parser_error', amount: null }),
        after: {
          status: 'PARSED',
          reason: null,
          kind: 'SEND_MONEY_RECEIVED',
          paymentMethod: 'BKASH_SEND_MONEY',
          amount: '1250.5',
          receiverAccountId: phone.accounts.BKASH_SEND_MONEY,
        },
      },
    ]);
    expect(JSON.stringify(report)).not.toMatch(/01711000999|You have received/);
    expect(await rowOf(id)).toEqual(before);
    expect(await announced(id)).toEqual([['sms.unparsed', 1]]);
  });

  it('becomes evidence with its original times and is published once with the next sequence, also by concurrent runs', async () => {
    const phone = await aPhone(service.db);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await received(phone, failing)).id);
    const before = await rowOf(ids[0] ?? '');
    await service.db.execute(
      `update sms_events set match_status = 'UNPARSED', decision_sequence = 1, passed_over_at = now() where id = $1`,
      [ids[0]],
    );

    const reports = await Promise.all([1, 2, 3].map(() => reparse(phone, { dryRun: false })));
    reports.push(await reparse(phone, { dryRun: false }));

    expect(reports.map(({ changed }) => changed).reduce((one, other) => one + other)).toBe(5);
    expect(await rowOf(ids[0] ?? '')).toMatchObject({
      status: 'PARSED',
      match_status: null,
      failure_reason: null,
      decision_sequence: 1,
      announced_sequence: 2,
      passed_over_at: null,
      received_at: before?.['received_at'],
      ingested_at: before?.['ingested_at'],
      parsed_amount: '50000',
    });
    for (const id of ids)
      expect((await announced(id)).slice(0, 2)).toEqual([
        ['sms.unparsed', 1],
        ['sms.parsed', 2],
      ]);
    const published = (await service.announced()).filter(({ type }) => type === 'sms.parsed');
    expect(published.filter(({ aggregateId }) => ids.includes(aggregateId))).toHaveLength(5);
  });

  it('of another kind does not become evidence, and its values are published', async () => {
    const phone = await aPhone(service.db);
    const text = `Cash In Tk 500.00 from 01711000201 successful. Fee Tk 0.00. Balance Tk 900.00. TrxID ${aRandomTrxId()} at 21/11/2026 14:58`;
    const { id } = await received(phone, failing, text);

    expect(await reparse(phone, { dryRun: false })).toMatchObject({ changed: 1 });
    expect(await rowOf(id)).toMatchObject({ status: 'UNPARSED', failure_reason: 'not_collected' });
    expect((await announced(id)).slice(0, 2)).toEqual([
      ['sms.unparsed', 1],
      ['sms.unparsed', 2],
    ]);
    expect(await reparse(phone, { dryRun: false })).toMatchObject({ changed: 0, unchanged: 1 });
  });
});

describe('the number of a text that was assigned to the only wallet', () => {
  const agent = { paymentMethod: 'BKASH_CASHOUT', msisdn: '01700000911' } as const;
  const personal = { paymentMethod: 'BKASH_SEND_MONEY', msisdn: '01700000912' } as const;

  async function phoneOfAgent(): Promise<PhoneUnderTest> {
    const phone = await aPhone(service.db, { receivers: [agent] });
    await service.db.execute(
      `update directory_facts set data = jsonb_set(data, '{sims,0,simSlot}', 'null') where kind = 'device' and id = $1`,
      [phone.deviceId],
    );
    return phone;
  }

  /** A Send Money text on SIM 2, where only the agent wallet of the phone can be: no payment. */
  async function floatOnSim2(stated: { receiverMsisdn?: string } = {}) {
    const phone = await phoneOfAgent();
    const message = bkashSendMoneyText({ amount: '500', at: new Date(receivedAt) });
    const sms = { sender: 'bKash', message, receivedAt, simSlot: 2, ...stated };
    const { body } = await phoneApi(service.url, phone.deviceKey).incoming(sms);
    expect(await rowOf(body.id)).toMatchObject({
      status: 'UNPARSED',
      receiver_account_id: phone.accounts.BKASH_CASHOUT,
      receiver_msisdn: agent.msisdn,
    });
    return { phone, id: body.id as string };
  }

  /** The owner registers a personal wallet for SIM 2, and the agent wallet for SIM 1. */
  async function registerPersonal({ merchantId, environment, accounts, deviceId, deviceKey }: PhoneUnderTest) {
    const owned = { merchantId, environment, version: 2, deleted: false };
    const account: ReceiverAccountFact = { ...owned, id: uuidv7(), ...personal, isActive: true };
    const device: DeviceFact = {
      ...owned,
      id: deviceId,
      name: 'counter phone',
      keyHash: hashKey(deviceKey),
      isDisabled: false,
      sims: [
        { simSlot: 1, receiverAccountIds: [accounts.BKASH_CASHOUT ?? ''] },
        { simSlot: 2, receiverAccountIds: [account.id] },
      ],
    };
    const about = { merchantId, environment, aggregateId: deviceId, sequence: 2, occurredAt: new Date() };
    const events = [
      draft('receiver_account.changed', { ...about, data: account }),
      draft('device.changed', { ...about, data: device }),
    ];
    await service.db.transaction((tx) => service.messaging.publish(tx, events, { queue: 'sms-ingest.control' }));
    return account.id;
  }

  async function reparsed(phone: PhoneUnderTest, texts = 1): Promise<void> {
    await eventually(async () => (await reparse(phone)).changed === texts, 'the wallets of the phone are known');
    await reparse(phone, { dryRun: false });
  }

  it('is not taken for a statement of the forwarder: the text is assigned again', async () => {
    const { phone, id } = await floatOnSim2();
    const personalId = await registerPersonal(phone);
    await reparsed(phone);

    expect(await rowOf(id)).toMatchObject({
      status: 'PARSED',
      payment_method: 'BKASH_SEND_MONEY',
      receiver_account_id: personalId,
      receiver_msisdn: personal.msisdn,
      signals: [],
    });
  });

  const unknown = { receiver_account_id: null, receiver_msisdn: agent.msisdn };

  it('excludes other wallets if the forwarder has stated it', async () => {
    const { phone, id } = await floatOnSim2({ receiverMsisdn: `+88${agent.msisdn}` });
    await registerPersonal(phone);
    await reparsed(phone);

    expect(await rowOf(id)).toMatchObject(unknown);
  });

  it('excludes other wallets if an earlier version has stored the text', async () => {
    const { phone, id } = await floatOnSim2();
    await service.db.execute('update sms_events set receiver_is_stated = null where id = $1', [id]);
    await registerPersonal(phone);
    await reparsed(phone);

    expect(await rowOf(id)).toMatchObject(unknown);
  });

  /** A text of the wallet that receives Tk 100 in each minute. */
  function received100(wallet: typeof agent | typeof personal, minute: number, balance: number) {
    const at = new Date(Date.parse(receivedAt) + minute * 60_000);
    const money = { amount: '100', at, balance: String(balance), sender: '01711000201' };
    const text = bkashSendMoneyText(money);
    const isAgent = wallet === agent;
    const cashOut = text.replace('You have received', 'Cash Out').replace('201.', '201 successful.');
    const message = isAgent ? cashOut : text;
    return { sender: 'bKash', message, receivedAt: at.toISOString(), simSlot: isAgent ? 1 : 2 };
  }

  it.each([
    ['to its own wallet', true, ['FIRST', 'FOLLOWS', 'FOLLOWS', 'FOLLOWS', 'FOLLOWS']],
    ['to no wallet', false, []],
  ])(
    'leaves the chain of that wallet, which then continues without it, when it moves %s',
    async (_to, known, moved) => {
      const phone = await phoneOfAgent();
      await service.db.execute(
        `update directory_facts set data = data || jsonb_build_object('evidenceRules', $2::jsonb) where kind = 'merchant' and id = $1`,
        [phone.merchantId, JSON.stringify({ ...REVIEWS_NOTHING, reviewBalanceBreaks: true })],
      );
      const messages = [
        ...[0, 1, 2].map((n) => received100(agent, n, 1_000 + 100 * n)),
        ...[0, 1, 2, 3, 4].map((n) => received100(personal, 3 + n, 50_000 + 100 * n)),
        ...[3, 4, 5].map((n) => received100(agent, 5 + n, 1_000 + 100 * n)),
      ];
      const chainOf = async (wallet: typeof agent | typeof personal) => {
        const id = balanceChainId({ merchantId: phone.merchantId, environment: phone.environment, ...wallet });
        const rows = await service.db.query<{ verdict: string | null; is_doubted: boolean }>(
          'select verdict, is_doubted from balance_texts where chain_id = $1 order by at',
          [id],
        );
        return rows.map(({ verdict, is_doubted }) => `${verdict}${is_doubted ? ' doubted' : ''}`);
      };
      const isExamined = async () => !JSON.stringify([await chainOf(agent), await chainOf(personal)]).includes('null');
      const gaps = () =>
        service.db.query(`select 1 from missing_sms where merchant_id = $1 and status <> 'EXPLAINED'`, [
          phone.merchantId,
        ]);
      for (const message of messages) await phoneApi(service.url, phone.deviceKey).incoming(message);
      await eventually(isExamined, 'all texts are examined');
      expect((await chainOf(agent)).filter((each) => each === 'GAP doubted')).toHaveLength(2);
      expect(await gaps()).toHaveLength(2);

      await service.db.execute(
        'update sms_events set receiver_is_stated = true where merchant_id = $1 and sim_slot = 2 and not $2',
        [phone.merchantId, known],
      );
      await registerPersonal(phone);
      await reparsed(phone, 5);
      await eventually(isExamined, 'all texts are examined');

      expect(await chainOf(agent)).toEqual(['FIRST', ...Array<string>(5).fill('FOLLOWS')]);
      expect(await chainOf(personal)).toEqual(moved);
      expect(await gaps()).toEqual([]);
    },
  );
});

describe('the decision that a text is UNPARSED', () => {
  function unparsed({ merchantId, environment }: PhoneUnderTest, id: string) {
    const matchId = uuidv7();
    return draft('match.unparsed', {
      environment,
      merchantId,
      aggregateId: matchId,
      sequence: 1,
      occurredAt: new Date(),
      data: {
        matchId,
        matchStatus: 'UNPARSED',
        path: null,
        reason: 'parser_error',
        checks: null,
        decidedBy: 'system',
        paymentIntentId: null,
        intent: null,
        evidence: null,
        sms: { id, status: 'UNPARSED', sequence: 1 },
      },
    });
  }

  /** Sends the decision about the text, and waits until it was handled. */
  async function decide(phone: PhoneUnderTest, id: string): Promise<void> {
    const marker = await received(phone, failing);
    const decisions = [unparsed(phone, id), unparsed(phone, marker.id)];
    await service.db.transaction((tx) => service.messaging.publish(tx, decisions));
    await eventually(async () => (await rowOf(marker.id))?.['match_status'] === 'UNPARSED', 'the decisions arrive');
  }

  it('changes nothing after the text was parsed, also when it is repeated', async () => {
    const phone = await aPhone(service.db);
    const { id } = await received(phone, failing);
    await reparse(phone, { dryRun: false });

    await decide(phone, id);
    await decide(phone, id);

    expect(await rowOf(id)).toMatchObject({ status: 'PARSED', match_status: null, failure_reason: null });
  });

  it('is no conflict when it is repeated after the text was parsed', async () => {
    const phone = await aPhone(service.db);
    const { id } = await received(phone, failing);
    await decide(phone, id);
    expect(await rowOf(id)).toMatchObject({ status: 'UNPARSED', match_status: 'UNPARSED' });
    await reparse(phone, { dryRun: false });

    await decide(phone, id);

    expect(await rowOf(id)).toMatchObject({ status: 'PARSED', match_status: null });
    expect(service.lines.filter((line) => line['msg'] === 'sequence.conflict')).toEqual([]);
  });
});

describe('texts that are not re-parsed', () => {
  it('are those decided by a person and those of other merchants', async () => {
    const [phone, other] = [await aPhone(service.db), await aPhone(service.db)];
    const [one, two] = [await received(phone, failing), await received(other, failing)];
    await service.db.execute(`update sms_events set status = 'REJECTED', match_status = 'REJECTED' where id = $1`, [
      one.id,
    ]);

    expect(await reparse(phone, { dryRun: false })).toMatchObject({ examined: 0, changed: 0 });
    expect(await rowOf(one.id)).toMatchObject({ status: 'REJECTED' });
    expect(await rowOf(two.id)).toMatchObject({ status: 'UNPARSED' });
  });

  it('are those outside the requested time and reason; a page states where to continue', async () => {
    const phone = await aPhone(service.db);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await received(phone, failing)).id);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();

    expect(await reparse(phone, { until: yesterday })).toMatchObject({ examined: 0 });
    expect(await reparse(phone, { reason: 'ambiguous_text' })).toMatchObject({ examined: 0 });
    const first = await reparse(phone, { since: yesterday, reason: 'parser_error', limit: 2 });
    expect(first).toMatchObject({ examined: 2, next: ids[1] });
    expect(await reparse(phone, { after: first.next })).toMatchObject({ examined: 1, next: null });
  });

  it('are repeats of a text that was parsed since', async () => {
    const phone = await aPhone(service.db);
    const message = bkashSendMoneyText({ amount: '12' });
    const { id } = await received(phone, failing, message);
    await service.db.execute('delete from sms_fingerprints where sms_event_id = $1', [id]);
    expect(await received(phone, READERS.BKASH, message)).toMatchObject({ status: 'PARSED', duplicate: false });

    expect(await reparse(phone, { dryRun: false })).toMatchObject({ changed: 0, skipped: { repeat: 1 } });
    expect(await rowOf(id)).toMatchObject({ status: 'UNPARSED' });
  });
});

it('are those whose values cannot be stored; they can be re-parsed later', async () => {
  const phone = await aPhone(service.db);
  const tooMuch: Reader = (text) => {
    const reading = READERS.BKASH(text);
    if ('reason' in reading) return reading;
    return { ...reading, money: { ...reading.money, fee: -5n as never } };
  };
  const [bad, good] = [await received(phone, tooMuch), await received(phone, READERS.BKASH)];

  expect([bad.status, good.status]).toEqual(['UNPARSED', 'PARSED']);
  expect(await rowOf(bad.id)).toMatchObject({ failure_reason: 'parser_error' });
  expect(await reparse(phone, { dryRun: false })).toMatchObject({ changed: 1 });
});

describe('retention', () => {
  it('deletes texts by age, UNPARSED ones by a separate age, and keeps facts and fingerprints', async () => {
    const phone = await aPhone(service.db);
    const message = bkashSendMoneyText({ amount: '321' });
    const understood = await received(phone, READERS.BKASH, message);
    const unparsed = await received(phone, failing);
    const isThere = async ({ id }: { id: string }) => (await rowOf(id))?.['sealed_text'] !== null;
    const after = (days: number) =>
      deleteOldTexts(
        {
          db: service.db,
          currentKey: { id: 'test' },
          retention: { days: 90, unparsedDays: 180 },
          log,
          now: () => new Date(Date.now() + days * 86_400_000),
        },
        new AbortController().signal,
      );

    await after(89);
    expect([await isThere(understood), await isThere(unparsed)]).toEqual([true, true]);
    await Promise.all([after(91), after(91)]);
    expect([await isThere(understood), await isThere(unparsed)]).toEqual([false, true]);
    expect(await rowOf(understood.id)).toMatchObject({ status: 'PARSED', parsed_amount: '32100' });
    expect(await received(phone, READERS.BKASH, message)).toEqual({ ...understood, duplicate: true });

    await service.db.execute(`update sms_events set status = 'UNPARSED', payment_method = null where id = $1`, [
      understood.id,
    ]);
    expect(await reparse(phone)).toMatchObject({ examined: 2, changed: 1, skipped: { textDeleted: 1 } });
    await after(181);
    expect(await isThere(unparsed)).toBe(false);
  });
});

it('the command re-parses the texts of every merchant, and the service publishes the results', async () => {
  const phones = [await aPhone(service.db), await aPhone(service.db, { environment: 'LIVE' })];
  const ids: string[] = [];
  for (const phone of phones) ids.push((await received(phone, failing)).id);
  const encoded = service.keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join();
  const env = { NODE_ENV: 'test', DATABASE_URL: service.databaseUrl, SMS_ENCRYPTION_KEYS: encoded };
  const command = (...words: string[]) => runReparse(env, parseOptions(words, reparseCommand.options).values);

  const dry = JSON.stringify(await command('--dry-run', `--merchant=${phones[0]?.merchantId}`));
  expect(dry).toContain(ids[0]);
  expect(dry).not.toContain(ids[1]);
  expect(await rowOf(ids[0] ?? '')).toMatchObject({ status: 'UNPARSED' });

  await command('--environment=live');
  expect(await rowOf(ids[0] ?? '')).toMatchObject({ status: 'UNPARSED' });
  await command();
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'PARSED', announced_sequence: 2 });
  expect(() => parseOptions(['--since=yesterday', '--merchant=x'], reparseCommand.options)).toThrow(
    /--merchant .*\n--since /,
  );
});
