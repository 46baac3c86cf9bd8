import { aRandomNagadTrxId, aRandomTrxId, bkashSendMoneyText, nagadSendMoneyText } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { PARSER_VERSION } from '../src/domain/parsed-sms';
import {
  aPhone,
  BKASH,
  phoneApi,
  startService,
  type PhoneUnderTest,
  type ServiceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;
let phone: PhoneUnderTest;

beforeAll(async () => {
  service = await startService();
  phone = await aPhone(service.db);
});
afterAll(() => service.stop());

const receivedAt = '2026-11-21T15:00:00.000+06:00';

function bkash(change: Record<string, unknown> = {}, money: Partial<Parameters<typeof bkashSendMoneyText>[0]> = {}) {
  return {
    sender: 'bKash',
    message: bkashSendMoneyText({ amount: '1250.5', ...money }),
    receivedAt,
    simSlot: 1,
    ...change,
  };
}

function api(of: Pick<PhoneUnderTest, 'deviceKey'> = phone) {
  return phoneApi(service.url, of.deviceKey);
}

async function rows(merchantId = phone.merchantId): Promise<Record<string, any>[]> {
  return service.db.query('select * from sms_events where merchant_id = $1 order by id', [merchantId]);
}

async function eventsOf(smsEventId: string) {
  return (await service.announced()).filter((event) => event.aggregateId === smsEventId);
}

describe('one SMS about received money', () => {
  it('is answered 202, stored with all its facts and published once', async () => {
    const trxId = aRandomTrxId();
    const at = new Date('2026-11-21T08:58:00Z');
    const sms = bkash({ clientMessageId: 'inbox-1' }, { trxId, reference: 'TEA-77', sender: '01711000201', at });
    const { status, body } = await api().incoming(sms);

    expect({ status, body }).toEqual({
      status: 202,
      body: { id: expect.any(String), status: 'PARSED', duplicate: false },
    });
    expect((await rows()).find((row) => row['id'] === body.id)).toMatchObject({
      environment: 'SANDBOX',
      device_id: phone.deviceId,
      receiver_account_id: phone.accounts.BKASH_SEND_MONEY,
      receiver_msisdn: BKASH.msisdn,
      sender: 'bKash',
      sim_slot: 1,
      client_message_id: 'inbox-1',
      received_at: new Date(receivedAt),
      provider: 'BKASH',
      kind: 'SEND_MONEY_RECEIVED',
      direction: 'IN',
      payment_method: 'BKASH_SEND_MONEY',
      provider_time: at,
      parsed_amount: '125050',
      parsed_fee: '0',
      parsed_trx_id: trxId,
      parsed_reference: 'TEA-77',
      parsed_sender_msisdn: '01711000201',
      parser_version: PARSER_VERSION,
      status: 'PARSED',
      match_status: null,
      failure_reason: null,
    });
    expect(await service.textOf(body.id)).toEqual({ sender: 'bKash', message: sms.message });
    expect(await eventsOf(body.id)).toMatchObject([
      {
        type: 'sms.parsed',
        sequence: 1,
        merchantId: phone.merchantId,
        environment: 'SANDBOX',
        data: {
          smsEventId: body.id,
          deviceId: phone.deviceId,
          receiverAccountId: phone.accounts.BKASH_SEND_MONEY,
          amount: '1250.5',
          trxId,
          reference: 'TEA-77',
          providerTime: at.toISOString(),
        },
      },
    ]);
  });

  it('of Nagad is parsed as well', async () => {
    const { body } = await api().incoming({
      sender: 'Nagad',
      message: nagadSendMoneyText({ amount: '60', trxId: aRandomNagadTrxId() }),
      receivedAt,
    });

    expect(body).toMatchObject({ status: 'PARSED', duplicate: false });
    expect(await eventsOf(body.id)).toMatchObject([
      { data: { provider: 'NAGAD', receiverAccountId: phone.accounts.NAGAD_SEND_MONEY, reference: null, fee: null } },
    ]);
  });

  it('is published without a receiver account when the wallet is ambiguous', async () => {
    const { body } = await api().incoming(bkash({ simSlot: 2 }));
    expect(await eventsOf(body.id)).toMatchObject([{ type: 'sms.parsed', data: { receiverAccountId: null } }]);
  });

  it('writes one log line without text, numbers or TrxID, and increases a counter', async () => {
    const trxId = aRandomTrxId();
    const { body } = await api().incoming(bkash({}, { trxId, sender: '01711000999', reference: 'SECRET-REF' }));

    const line = service.lines.find((each) => each['smsEventId'] === body.id);
    expect(line).toMatchObject({
      msg: 'sms.received',
      merchantId: phone.merchantId,
      deviceId: phone.deviceId,
      provider: 'BKASH',
      outcome: 'PARSED',
      reason: 'none',
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(service.lines)).not.toMatch(
      new RegExp(`01711000999|SECRET-REF|${trxId}|You have received|dk_test_`),
    );
    expect(await service.metrics.registry.metrics()).toMatch(
      /sms_received_total\{environment="SANDBOX",provider="BKASH",status="PARSED",reason="none".*\} \d+/,
    );
  });
});

describe('an SMS that is no evidence', () => {
  it.each([
    ['a copy from an unknown sender', '01711000201', bkashSendMoneyText({ amount: '500' }), 'untrusted_sender', null],
    ['a promotional sender', 'BKASH-PROMO', bkashSendMoneyText({ amount: '500' }), 'untrusted_sender', null],
    ['a greeting', 'bKash', 'Eid Mubarak!', 'unsupported_format', 'BKASH'],
    [
      'a text with two ids',
      'bKash',
      bkashSendMoneyText({ amount: '5', reference: 'TrxID DKL4FAKE01' }),
      'ambiguous_text',
      'BKASH',
    ],
    [
      'an hour that no clock shows',
      'bKash',
      bkashSendMoneyText({ amount: '5' }).replace(/\d\d:\d\d$/, '27:00'),
      'impossible_time',
      'BKASH',
    ],
  ])('%s is stored as UNPARSED and announced with the reason', async (_what, sender, message, reason, provider) => {
    const { status, body } = await api().incoming({ sender, message, receivedAt });

    expect({ status, body }).toMatchObject({ status: 202, body: { status: 'UNPARSED', duplicate: false } });
    expect(await service.textOf(body.id)).toEqual({ sender, message });
    expect((await rows()).find((row) => row['id'] === body.id)).toMatchObject({
      status: 'UNPARSED',
      failure_reason: reason,
      payment_method: null,
    });
    expect(await eventsOf(body.id)).toMatchObject([{ type: 'sms.unparsed', data: { reason, provider } }]);
  });

  it('is stored with any characters', async () => {
    const message = 'half a smiley \ud83d, a NUL \u0000, বাংলা and a "quote"';
    const { status, body } = await api().incoming({ sender: 'bKash', message, receivedAt });

    expect(status).toBe(202);
    expect(await service.textOf(body.id)).toEqual({
      sender: 'bKash',
      message: 'half a smiley \ufffd, a NUL \ufffd, বাংলা and a "quote"',
    });
  });
});

describe('a repeat', () => {
  it('changes nothing and returns the event with its current status', async () => {
    const sms = bkash();
    const first = await api().incoming(sms);
    const stored = await rows();
    await service.db.execute(`update sms_events set status = 'MATCHED' where id = $1`, [first.body.id]);
    const again = await api().incoming({ ...sms, receivedAt: '2026-11-22T00:00:00Z', message: ` ${sms.message}\n` });

    expect(again).toMatchObject({ status: 202, body: { id: first.body.id, status: 'MATCHED', duplicate: true } });
    expect(await eventsOf(first.body.id)).toHaveLength(1);
    expect(await rows()).toHaveLength(stored.length);
  });

  it('is recognised when another phone of the merchant forwards the same text of the same account', async () => {
    const second = await aPhone(service.db, { sharedWith: phone });
    const sms = bkash();
    const first = await api().incoming(sms);

    expect((await api(second).incoming(sms)).body).toEqual({ id: first.body.id, status: 'PARSED', duplicate: true });
  });

  it('is not recognised across merchants or environments', async () => {
    const sms = bkash();
    const others = [
      await aPhone(service.db),
      await aPhone(service.db, { merchantId: phone.merchantId, environment: 'LIVE' }),
    ];
    const ids = [(await api().incoming(sms)).body.id];
    for (const other of others) {
      const { body } = await api(other).incoming(sms);
      expect(body.duplicate).toBe(false);
      ids.push(body.id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('is recognised by its client message id and text; the same id with another text is a new message', async () => {
    const clientMessageId = uuidv7();
    const greeting = { sender: 'bKash', message: 'Shuvo noboborsho', receivedAt, clientMessageId };
    const first = await api().incoming(greeting);
    const again = await api().incoming({ ...greeting, receivedAt: '2026-11-22T00:00:00Z' });
    const other = await api().incoming({ ...greeting, message: 'Shuvo sokal' });

    expect(again.body).toEqual({ ...first.body, duplicate: true });
    expect(other.body).toMatchObject({ duplicate: false });
    expect(other.body.id).not.toBe(first.body.id);
  });

  it('without a TrxID is the same text at the same time; a minute later it is a new message', async () => {
    const greeting = { sender: 'bKash', message: 'Notun offer!', receivedAt };
    const first = await api().incoming(greeting);

    expect((await api().incoming(greeting)).body).toEqual({ ...first.body, duplicate: true });
    const later = await api().incoming({ ...greeting, receivedAt: '2026-11-21T15:01:00.000+06:00' });
    expect(later.body.duplicate).toBe(false);
  });

  it('is recognised by the client message id of an earlier repeat', async () => {
    const clientMessageId = uuidv7();
    const sms = bkash();
    const first = await api().incoming(sms);
    const stored = await rows();
    await api().incoming({ ...sms, clientMessageId });
    // On another slot the account is unknown, so that only the client message id is left to recognise it by.
    const moved = await api().incoming({ ...sms, clientMessageId, simSlot: 2 });

    expect(moved.body).toEqual({ ...first.body, duplicate: true });
    expect(await rows()).toHaveLength(stored.length);
  });

  it('is recognised among 100 that are posted at the same moment: one event is stored and published', async () => {
    const sms = bkash({ clientMessageId: uuidv7() });
    const stored = await rows();
    const answers = await Promise.all(Array.from({ length: 100 }, () => api().incoming(sms)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    expect(await eventsOf(answers[0]!.body.id)).toHaveLength(1);
    expect(await rows()).toHaveLength(stored.length + 1);
  });

  it('is recognised when two phones forward 100 different messages at the same moment, in opposite order', async () => {
    const second = await aPhone(service.db, { sharedWith: phone });
    const messages = Array.from({ length: 100 }, () => bkash());
    const [one, other] = await Promise.all([
      api().incoming({ messages }),
      api(second).incoming({ messages: messages.toReversed() }),
    ]);

    const ids = (answer: typeof one): string[] => answer.body.results.map((result: { id: string }) => result.id);
    expect(ids(one)).toEqual(ids(other).toReversed());
    expect(new Set(ids(one)).size).toBe(100);
    const newMessages = [...one.body.results, ...other.body.results].filter(({ duplicate }) => !duplicate);
    expect(newMessages).toHaveLength(100);
  });
});

describe('many concurrent SMS', () => {
  it('get results in order, with the reason for invalid ones, which do not affect others', async () => {
    const [first, second] = [bkash(), bkash()];
    const messages = [
      first,
      { ...bkash(), sender: ' ' },
      'no object',
      second,
      { sender: 'bKash', message: 'x'.repeat(2_001), receivedAt: 'yesterday' },
      first,
      null,
      { ...first, message: 'a NUL \u0000' },
    ];
    const { status, body } = await api().incoming({ messages });

    expect(status).toBe(202);
    expect(body.results).toEqual([
      { id: expect.any(String), status: 'PARSED', duplicate: false },
      { error: { code: 'INVALID_MESSAGE', message: 'sender must not be empty' } },
      { error: { code: 'INVALID_MESSAGE', message: expect.stringContaining('must be a JSON object') } },
      { id: expect.any(String), status: 'PARSED', duplicate: false },
      { error: { code: 'INVALID_MESSAGE', message: expect.stringMatching(/message .* 2000.*receivedAt/) } },
      { id: body.results[0].id, status: 'PARSED', duplicate: true },
      { error: { code: 'INVALID_MESSAGE', message: expect.stringContaining('must be a JSON object') } },
      { id: expect.any(String), status: 'UNPARSED', duplicate: false },
    ]);
    expect(body.results[3].id).not.toBe(body.results[0].id);
  });

  it('are all stored when 500 are sent concurrently', async () => {
    const messages = Array.from({ length: 500 }, () => bkash());
    const { status, body } = await api().incoming({ messages });

    expect(status).toBe(202);
    const ids = body.results.map((result: { id: string }) => result.id);
    const stored = await service.db.query('select id from sms_events where id = any($1)', [ids]);
    expect(stored).toHaveLength(500);
  });

  it('may be an empty list', async () => {
    expect(await api().incoming({ messages: [] })).toMatchObject({ status: 202, body: { results: [] } });
  });
});

describe('an invalid request', () => {
  it.each([
    ['malformed JSON', '{"sender":', 400],
    ['a text', '"hello"', 400],
    ['a list', [], 400],
    ['nothing', {}, 400],
    ['messages that are none', { messages: 'x' }, 400],
    ['501 messages', { messages: Array.from({ length: 501 }, () => ({})) }, 400],
    ['more than a mebibyte', { messages: ['x'.repeat(1_100_000)] }, 413],
  ])('with %s is refused as documented', async (_what, body, status) => {
    const answer = await api().incoming(body);

    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.body).toEqual({ statusCode: 400, message: expect.any(Array), error: 'Bad Request' });
    else expect(answer.body.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('names every invalid field', async () => {
    const { body } = await api().incoming({ sender: 7, simSlot: 'one', receivedAt: '2026-11-21' });
    expect(body.message).toEqual([
      expect.stringMatching(/^sender /),
      expect.stringMatching(/^message /),
      expect.stringMatching(/^simSlot /),
      expect.stringMatching(/^receivedAt /),
    ]);
  });

  it('of another content type is refused', async () => {
    expect((await api().incoming('sender=bKash', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('is refused for a larger body on other routes', async () => {
    expect((await api().statusBatch({ ids: ['x'.repeat(70_000)] })).status).toBe(413);
  });
});

describe('a phone', () => {
  it.each<[string, () => Promise<string | undefined>]>([
    ['without a key', async () => undefined],
    ['with an unknown key', async () => 'dk_test_00000000000000000000000000000000000000'],
    ['with an API key', async () => 'sk_test_00000000000000000000000000000000000000'],
    ['that is disabled', async () => (await aPhone(service.db, { isDisabled: true })).deviceKey],
    [
      'of a merchant that is switched off',
      async () => (await aPhone(service.db, { merchantIsActive: false })).deviceKey,
    ],
  ])('%s is answered 401, and nothing is stored', async (_who, key) => {
    const before = await service.db.query('select count(*) from sms_events');
    const deviceKey = await key();
    const answers = [
      await phoneApi(service.url, deviceKey).incoming(bkash()),
      await phoneApi(service.url, deviceKey).statusBatch({ ids: [] }),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    }
    expect(await service.db.query('select count(*) from sms_events')).toEqual(before);
  });
});
