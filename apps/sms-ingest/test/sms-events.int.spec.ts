import {
  internalReparseOneResponseSchema,
  internalSmsEventPageSchema,
  smsEventFactsSchema,
  smsEventTextSchema,
  type InternalSmsEventPage,
} from '@pay/contracts';
import { helpOf, parseOptions } from '@pay/runtime';
import { aRandomTrxId, bkashSendMoneyText, failOnLeaks } from '@pay/testing';
import type { z } from 'zod';
import { listReported } from '../src/cli/list-reported';
import { reportedCommand } from '../src/cli/report-options';
import { READERS, type Reader } from '../src/domain/parse-sms';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

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

interface Given {
  readonly message?: string;
  readonly sender?: string;
  readonly by?: Reader;
}

async function received(phone: PhoneUnderTest, { message, sender = 'bKash', by }: Given = {}): Promise<string> {
  parser = by ?? READERS.BKASH;
  const sms = {
    sender,
    message: message ?? bkashSendMoneyText({ amount: '500', trxId: aRandomTrxId() }),
    simSlot: 1,
    receivedAt: new Date().toISOString(),
  };
  const { status, body } = await phoneApi(service.url, phone.deviceKey).incoming(sms);
  parser = READERS.BKASH;
  expect(status).toBe(202);
  return (body as { id: string }).id;
}

const ask = <T>(path: string, schema: z.ZodType<T>) =>
  service.asDashboard.request('GET', `/internal/v1/sms-events${path}`, { schema });

function list(
  { merchantId, environment }: PhoneUnderTest,
  query: Record<string, string> = {},
): Promise<InternalSmsEventPage> {
  return ask(`?${new URLSearchParams({ merchantId, environment, ...query }).toString()}`, internalSmsEventPageSchema);
}

const idsOf = ({ data }: InternalSmsEventPage) => data.map(({ id }) => id);

describe('the list of SMS', () => {
  it('has the newest first, page by page, without shifting when SMS arrive in between, and with the exact total', async () => {
    const phone = await aPhone(service.db);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await received(phone));

    const first = await list(phone, { limit: '2' });
    const later = await received(phone);
    const second = await list(phone, { limit: '2', after: first.nextCursor ?? '' });
    const third = await list(phone, { limit: '2', after: second.nextCursor ?? '' });

    expect([first, second, third].flatMap(idsOf)).toEqual(ids);
    expect([first.total, second.total, third.total]).toEqual([5, 6, 6]);
    expect(third.nextCursor).toBeNull();
    expect(idsOf(await list(phone, { limit: '1' }))).toEqual([later]);
    expect(first).toMatchObject({ totalIsExact: true, limit: 2 });
  });

  it('contains no text, and nothing of other merchants or of the other environment', async () => {
    const [phone, other] = [await aPhone(service.db), await aPhone(service.db, { environment: 'LIVE' })];
    const id = await received(phone);
    await received(other);

    const page = await list(phone);

    expect(idsOf(page)).toEqual([id]);
    expect(page.data[0]).toMatchObject({ status: 'PARSED', amount: '500', provider: 'BKASH', sender: 'bKash' });
    expect(JSON.stringify(page)).not.toContain('You have received');
    expect(await list({ ...phone, environment: 'LIVE' })).toMatchObject({ data: [], total: 0 });
  });

  it('is filtered by result, provider, device, receiver account and time, each with its own total', async () => {
    const phone = await aPhone(service.db);
    const parsed = await received(phone);
    const unread = await received(phone, { by: failing });
    const advert = await received(phone, { sender: 'PROMO', message: 'Buy now' });
    const row = (await list(phone)).data.find(({ id }) => id === parsed);

    const found = async (query: Record<string, string>) => {
      const page = await list(phone, query);
      expect(page.total).toBe(page.data.length);
      return idsOf(page);
    };
    expect(await found({ status: 'PARSED' })).toEqual([parsed]);
    expect(await found({ status: 'UNPARSED' })).toEqual([advert, unread]);
    expect(await found({ provider: 'BKASH' })).toEqual([unread, parsed]);
    expect(await found({ deviceId: phone.deviceId, status: 'UNPARSED', provider: 'BKASH' })).toEqual([unread]);
    expect(await found({ deviceId: phone.merchantId })).toEqual([]);
    expect(await found({ receiverAccountId: row?.receiverAccountId ?? '', status: 'PARSED' })).toEqual([parsed]);
    expect(await found({ ingestedTo: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ ingestedFrom: '2020-01-01T00:00:00Z' })).toHaveLength(3);
    expect((await list(phone, { status: 'UNPARSED', limit: '1' })).nextCursor).toBe(advert);
  });

  it('continues after the rows that were scanned without a match', async () => {
    const phone = await aPhone(service.db);
    const wanted = await received(phone);
    // As many as one answer looks through, all newer and of another provider.
    await service.db.execute(
      `insert into sms_events (id, merchant_id, environment, device_id, sender, received_at, ingested_at, parser_version, status, failure_reason)
       select ('ffff0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, $3, 'PROMO', now(), now(), '6', 'UNPARSED', 'untrusted_sender'
       from generate_series(1, 10000) n`,
      [phone.merchantId, phone.environment, phone.deviceId],
    );

    const first = await list(phone, { provider: 'BKASH' });
    const second = await list(phone, { provider: 'BKASH', after: first.nextCursor ?? '' });

    expect(first).toMatchObject({ data: [], nextCursor: 'ffff0000-0000-7000-8000-000000000001', totalIsExact: false });
    expect(idsOf(second)).toEqual([wanted]);
    expect(second.nextCursor).toBeNull();
    await service.db.execute(`delete from sms_events where merchant_id = $1 and sender = 'PROMO'`, [phone.merchantId]);
  });
});

describe('one SMS', () => {
  const at = (phone: PhoneUnderTest, id: string, part = '') => `/${id}${part}?merchantId=${phone.merchantId}`;

  it('is shown with its values, and its text apart from them with the places of the values', async () => {
    const phone = await aPhone(service.db);
    const message = bkashSendMoneyText({ amount: '1250.5', reference: 'TEA-77' });
    const id = await received(phone, { message });

    const facts = await ask(at(phone, id), smsEventFactsSchema);
    const text = await ask(at(phone, id, '/text'), smsEventTextSchema);

    expect(facts).toMatchObject({ id, amount: '1250.5', reference: 'TEA-77', hasText: true, reportedAt: null });
    expect(JSON.stringify(facts)).not.toContain('You have received');
    expect(text).toMatchObject({ message, hidden: null });
    const cut = Object.fromEntries(text.parts.map(({ name, from, to }) => [name, message.slice(from, to)]));
    expect(cut).toMatchObject({ reference: 'TEA-77', trxId: facts.trxId });
  });

  it('with a one-time password, or with a deleted text, is shown without text', async () => {
    const phone = await aPhone(service.db);
    const secret = await received(phone, {
      message: 'Your bKash verification code is 000000. It expires in 2 minutes.',
    });
    const deleted = await received(phone);
    await service.db.execute('update sms_events set sealed_text = null where id = $1', [deleted]);

    expect(await ask(at(phone, secret, '/text'), smsEventTextSchema)).toEqual({
      message: null,
      hidden: 'one_time_password',
      parts: [],
    });
    expect(await ask(at(phone, deleted, '/text'), smsEventTextSchema)).toMatchObject({
      message: null,
      hidden: 'deleted',
    });
    expect(await ask(at(phone, deleted), smsEventFactsSchema)).toMatchObject({ hasText: false, amount: '500' });
  });

  it('of another merchant does not exist', async () => {
    const [phone, other] = [await aPhone(service.db), await aPhone(service.db)];
    const id = await received(phone);

    for (const part of ['', '/text']) {
      await expect(ask(at(other, id, part), smsEventFactsSchema)).rejects.toMatchObject({ status: 404 });
    }
    await expect(reparse(other, id)).rejects.toMatchObject({ status: 404 });
    await expect(reparse({ ...phone, environment: 'LIVE' }, id)).rejects.toMatchObject({ status: 404 });
  });
});

function reparse(
  { merchantId, environment }: Pick<PhoneUnderTest, 'merchantId' | 'environment'>,
  id: string,
  body: object = {},
) {
  const request = { schema: internalReparseOneResponseSchema, body, tenant: { merchantId, environment } };
  return service.asDashboard.request('POST', `/internal/v1/sms-events/${id}/reparse`, request);
}

describe('parsing one SMS again', () => {
  it('returns all values before and after in a dry run, and applies them once', async () => {
    const phone = await aPhone(service.db);
    const message = bkashSendMoneyText({ amount: '1250.5', sender: '01711000999', reference: 'TEA-77' });
    const id = await received(phone, { message, by: failing });

    const dry = await reparse(phone, id);
    expect(dry).toMatchObject({
      dryRun: true,
      outcome: 'changed',
      before: { status: 'UNPARSED', failureReason: 'parser_error' },
      after: { status: 'PARSED', amount: '1250.5', reference: 'TEA-77', senderMsisdn: '01711000999' },
    });
    expect((await list(phone)).data[0]).toMatchObject({ status: 'UNPARSED' });

    const applied = await reparse(phone, id, { dryRun: false });
    expect(applied).toMatchObject({ dryRun: false, outcome: 'changed' });
    expect((await list(phone)).data[0]).toMatchObject({ status: 'PARSED', amount: '1250.5', trxId: dry.after?.trxId });
    const events = (await service.announced()).filter(({ aggregateId }) => aggregateId === id);
    expect(events.map(({ type }) => type)).toEqual(['sms.unparsed', 'sms.parsed']);

    expect(await reparse(phone, id, { dryRun: false })).toMatchObject({ outcome: 'decided', after: null });
  });

  it('states why nothing changes', async () => {
    const phone = await aPhone(service.db);
    const same = await received(phone, { message: 'Nothing that is known. TrxID' });
    const deleted = await received(phone, { by: failing });
    await service.db.execute('update sms_events set sealed_text = null where id = $1', [deleted]);

    expect(await reparse(phone, same)).toMatchObject({ outcome: 'unchanged', after: null });
    expect(await reparse(phone, deleted)).toMatchObject({ outcome: 'text_deleted', after: null });
  });
});

describe('a report about a format', () => {
  it('is stored once and listed for the operator with a text in which digits are masked', async () => {
    const phone = await aPhone(service.db);
    const id = await received(phone, { message: 'You got BDT 500 from 01711000999 by a new wording' });
    const path = `/internal/v1/sms-events/${id}/report?merchantId=${phone.merchantId}`;
    const report = () => service.asDashboard.request('POST', path, { schema: smsEventFactsSchema });

    const first = await report();
    const second = await report();

    expect(first.reportedAt).not.toBeNull();
    expect(second.reportedAt).toBe(first.reportedAt);
    const encoded = service.keys.map((key) => `${key.id}:${key.key.toString('base64')}`).join();
    const env = { NODE_ENV: 'test', DATABASE_URL: service.databaseUrl, SMS_ENCRYPTION_KEYS: encoded };
    const reported = await listReported(env, parseOptions(['--limit=5'], reportedCommand.options).values);
    expect(reported).toEqual([
      expect.objectContaining({
        id,
        merchantId: phone.merchantId,
        failureReason: 'unsupported_format',
        text: 'You got BDT 000 from 00000000000 by a new wording',
      }),
    ]);
    expect(helpOf(reportedCommand)).toContain('Usage:');
    expect(() => parseOptions(['--limit=x'], reportedCommand.options)).toThrow('--limit must be a whole number');
  });

  it('of another merchant is answered 404 and changes nothing', async () => {
    const [phone, other] = [await aPhone(service.db), await aPhone(service.db)];
    const id = await received(phone);
    const path = `/internal/v1/sms-events/${id}/report?merchantId=${other.merchantId}`;

    await expect(service.asDashboard.request('POST', path, { schema: smsEventFactsSchema })).rejects.toMatchObject({
      status: 404,
    });
    expect(await service.db.query('select id from sms_events where id = $1 and reported_at is not null', [id])).toEqual(
      [],
    );
  });
});
