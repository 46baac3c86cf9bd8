import { reparseResponseSchema, type ReparseReport } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { createLogger, parseOptions } from '@pay/runtime';
import { aRandomTrxId, bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { reparseCommand } from '../src/cli/reparse-options';
import { runReparse } from '../src/cli/run-reparse';
import { deleteOldTexts } from '../src/texts/delete-old-texts';
import { READERS, type Reader } from '../src/domain/parse-sms';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const log = createLogger({ service: 'sms-ingest', level: 'silent' });
const receivedAt = '2026-11-21T09:00:00.000Z';
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
