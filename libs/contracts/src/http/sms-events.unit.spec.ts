import { incomingSmsBatchSchema, incomingSmsSchema, smsStatusBatchRequestSchema } from './sms-events';

const valid = { sender: 'bKash', message: 'You have received ...', receivedAt: '2026-11-21T10:00:00+06:00' };

function sentencesFor(body: unknown): string[] {
  return incomingSmsSchema.safeParse(body).error?.issues.map((issue) => issue.message) ?? [];
}

describe('incomingSmsSchema', () => {
  it('keeps the text unchanged except for characters that cannot be stored', () => {
    const message = ' line one\r\nline two \u0000 \ud83d ';
    expect(incomingSmsSchema.parse({ ...valid, message }).message).toBe(' line one\r\nline two \ufffd \ufffd ');
  });

  it('removes white space around the sender', () => {
    expect(incomingSmsSchema.parse({ ...valid, sender: ' bKash ' }).sender).toBe('bKash');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no sender', { sender: undefined }, /^sender is required/],
    ['a blank sender', { sender: ' ' }, /^sender must not be empty/],
    ['a long sender', { sender: 'x'.repeat(65) }, /^sender must be at most 64/],
    ['no message', { message: undefined }, /^message is required/],
    ['an empty message', { message: '' }, /^message must not be empty/],
    ['a long message', { message: 'x'.repeat(2_001) }, /^message must be at most 2000/],
    ['a number as receiverMsisdn', { receiverMsisdn: 17 }, /^receiverMsisdn must be a string/],
    ['SIM slot 0', { simSlot: 0 }, /^simSlot must be at least 1/],
    ['SIM slot 9', { simSlot: 9 }, /^simSlot must be at most 8/],
    ['text as simSlot', { simSlot: '1' }, /^simSlot must be a whole number/],
    ['no receivedAt', { receivedAt: undefined }, /^receivedAt is required/],
    ['a time without a zone', { receivedAt: '2026-11-21T10:00:00' }, /^receivedAt .* time zone/],
    ['a day that does not exist', { receivedAt: '2026-02-30T10:00:00Z' }, /^receivedAt is required/],
    ['the year 0', { receivedAt: '0000-01-01T00:00:00Z' }, /^receivedAt must be between/],
    ['the year 2100', { receivedAt: '2100-01-01T00:00:00Z' }, /^receivedAt must be between/],
    ['an empty clientMessageId', { clientMessageId: '' }, /^clientMessageId must not be empty/],
  ])('refuses %s in one sentence that names the field', (_what, change, sentence) => {
    expect(sentencesFor({ ...valid, ...change })).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('incomingSmsBatchSchema', () => {
  it('accepts invalid items, which are validated one by one later', () => {
    expect(incomingSmsBatchSchema.parse({ messages: [valid, 7, null] }).messages).toHaveLength(3);
  });

  it.each([{}, { messages: valid }, { messages: Array.from({ length: 501 }, () => valid) }])(
    'rejects a value that is not an array of at most 500 items and names the field',
    (body) => {
      const messages = incomingSmsBatchSchema.safeParse(body).error?.issues.map((issue) => issue.message);
      expect(messages).toEqual([expect.stringContaining('messages')]);
    },
  );
});

describe('smsStatusBatchRequestSchema', () => {
  it.each([{}, { ids: 'x' }, { ids: ['x'] }, { ids: [null] }])('rejects %j and names the field', (body) => {
    const messages = smsStatusBatchRequestSchema.safeParse(body).error?.issues.map((issue) => issue.message);
    expect(messages).toEqual([expect.stringMatching(/^ids /)]);
  });
});
