import { sign, signStandard } from './signature';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook';

const body = '{"event":"payment.paid"}';
const secret = 'tea_shop_2041_sandbox_secret';
const id = '01935009-0000-7000-8000-00000000aa01';
const sentAt = new Date('2026-11-20T09:01:32.000Z');
const seconds = sentAt.getTime() / 1000;

const plain = {
  'x-webhook-id': id,
  'x-webhook-timestamp': sentAt.toISOString(),
  'x-webhook-signature': sign(body, secret),
};
const standard = {
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signStandard(id, seconds, body, secret),
};

function after(secondsLater: number): Date {
  return new Date(sentAt.getTime() + secondsLater * 1000);
}

interface Given {
  readonly now?: Date;
  readonly rawBody?: string;
  readonly allowReplayableSignature?: boolean;
}

function refusal(
  headers: Record<string, string | string[] | undefined>,
  { now = sentAt, rawBody = body, ...options }: Given = {},
): string {
  try {
    verifyWebhook(rawBody, headers, secret, { now, ...options });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
  throw new Error('the request was accepted');
}

describe('verifyWebhook', () => {
  it.each([
    ['both kinds of headers', { ...plain, ...standard }],
    ['the standard headers alone', standard],
    [
      'names in any case',
      {
        'Webhook-Id': id,
        'WEBHOOK-TIMESTAMP': standard['webhook-timestamp'],
        'Webhook-Signature': standard['webhook-signature'],
      },
    ],
    [
      'a new secret in the middle of a rotation, when X-Webhook-Signature is still made with the old one',
      {
        ...plain,
        ...standard,
        'x-webhook-signature': sign(body, 'the old secret'),
        'webhook-signature': `${signStandard(id, seconds, body, 'the old secret')} ${standard['webhook-signature']}`,
      },
    ],
    ['values in arrays', { ...standard, 'webhook-signature': [standard['webhook-signature']] }],
    ['the Headers of fetch', new Headers({ ...plain, ...standard })],
  ])('accepts %s', (_what, headers) => {
    expect(() => {
      verifyWebhook(Buffer.from(body), headers, secret, { now: sentAt });
    }).not.toThrow();
  });

  it.each([
    ['the X-Webhook headers alone', plain],
    ['names in any case', { 'X-Webhook-Signature': sign(body, secret), 'X-WEBHOOK-TIMESTAMP': sentAt.toISOString() }],
    ['values in arrays', { ...plain, 'x-webhook-signature': [sign(body, secret)] }],
    [
      'a new secret by X-Webhook-Signature-Next',
      { ...plain, 'x-webhook-signature': sign(body, 'the old secret'), 'x-webhook-signature-next': sign(body, secret) },
    ],
  ])('accepts %s only where allowReplayableSignature is set', (_what, headers) => {
    expect(() => {
      verifyWebhook(Buffer.from(body), headers, secret, { now: sentAt, allowReplayableSignature: true });
    }).not.toThrow();
    expect(refusal(headers)).toMatch(/webhook-id is missing/);
  });

  it('refuses a captured request whose webhook-* headers were removed and whose X-Webhook-Timestamp was set to now', () => {
    const dayLater = after(86_400);
    const replayed = { ...plain, 'x-webhook-timestamp': dayLater.toISOString() };

    expect(refusal(replayed, { now: dayLater })).toMatch(/webhook-id is missing/);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses a request without %s whether or not allowReplayableSignature is set',
    (name) => {
      const headers = { ...plain, ...standard, [name]: undefined };

      for (const allowReplayableSignature of [false, true])
        expect(refusal(headers, { allowReplayableSignature })).toMatch(`${name} is missing`);
    },
  );

  it.each([300, -300])(
    'accepts a time that is %p seconds away, and one second more only with a larger tolerance',
    (away) => {
      const further = after(away + Math.sign(away));

      expect(() => {
        verifyWebhook(body, standard, secret, { now: after(away) });
        verifyWebhook(body, plain, secret, { now: after(away), allowReplayableSignature: true });
        verifyWebhook(body, standard, secret, { now: further, toleranceSeconds: 301 });
      }).not.toThrow();
      expect(refusal(standard, { now: further })).toMatch(/webhook-timestamp is 301 seconds away .* 300 allowed/);
      expect(refusal(plain, { now: further, allowReplayableSignature: true })).toMatch(
        /X-Webhook-Timestamp is 301 seconds away .* 300 allowed/,
      );
    },
  );

  it('uses the signed time, so that a replay with a new X-Webhook-Timestamp is refused', () => {
    const now = after(3_600);
    expect(refusal({ ...plain, ...standard, 'x-webhook-timestamp': now.toISOString() }, { now })).toMatch(/replay/);
  });

  it('refuses a signed time that was changed', () => {
    const now = after(3_600);
    expect(refusal({ ...standard, 'webhook-timestamp': String(seconds + 3_600) }, { now })).toMatch(
      /webhook-signature does not match/,
    );
  });

  it.each([
    ['no headers', {}, /X-Webhook-Signature is missing/],
    ['no time', { 'x-webhook-signature': sign(body, secret) }, /X-Webhook-Timestamp is missing/],
    ['a time that is none', { ...plain, 'x-webhook-timestamp': 'noon' }, /X-Webhook-Timestamp is not an ISO 8601 time/],
    [
      'two signatures',
      { ...plain, 'x-webhook-signature': [sign(body, secret), 'x'] },
      /X-Webhook-Signature appears more than once/,
    ],
    ['another signature', { ...plain, 'x-webhook-signature': sign(body, 'x') }, /X-Webhook-Signature does not match/],
  ])('refuses %s if allowReplayableSignature is set and names the header', (_what, headers, sentence) => {
    expect(refusal(headers, { allowReplayableSignature: true })).toMatch(sentence);
  });

  it.each([
    ['no headers', {}, /webhook-id is missing/],
    ['a standard id alone', { 'webhook-id': id }, /webhook-timestamp is missing.* has all of webhook-id/],
    [
      'two signatures',
      { ...standard, 'webhook-signature': [standard['webhook-signature'], 'x'] },
      /webhook-signature appears more than once/,
    ],
    [
      'a standard time in ISO',
      { ...standard, 'webhook-timestamp': sentAt.toISOString() },
      /not a time in Unix seconds/,
    ],
    ['a standard time of NaN', { ...standard, 'webhook-timestamp': 'NaN' }, /not a time in Unix seconds/],
    ['another standard signature', { ...standard, 'webhook-signature': 'v1,AAAA' }, /webhook-signature does not match/],
  ])('refuses %s with the reason', (_what, headers, sentence) => {
    expect(refusal(headers)).toMatch(sentence);
  });

  it('refuses another body', () => {
    const rawBody = `${body} `;
    expect(refusal(plain, { rawBody, allowReplayableSignature: true })).toMatch(/does not match this body/);
    expect(refusal(standard, { rawBody })).toMatch(/does not match this body/);
  });

  it.each([
    ['HEADER_MISSING', 'webhook-id', {}],
    ['HEADER_MALFORMED', 'webhook-timestamp', { ...standard, 'webhook-timestamp': 'noon' }],
    ['NO_SIGNATURE_MATCHES', 'webhook-signature', { ...standard, 'webhook-signature': 'v1,AAAA' }],
    ['OUTSIDE_TOLERANCE', 'webhook-timestamp', standard],
  ])('reports %s and the header %s', (problem, header, headers) => {
    const verifying = () =>
      verifyWebhook(body, headers, secret, { now: after(problem === 'OUTSIDE_TOLERANCE' ? 999 : 0) });
    expect(verifying).toThrow(expect.objectContaining({ problem, header }));
  });

  it('accepts any of several secrets, and uses the clock of this machine', () => {
    const now = Math.floor(Date.now() / 1000);
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(now) };
    const signed = { ...headers, 'webhook-signature': signStandard(id, now, body, secret) };

    expect(() => verifyWebhook(body, signed, ['the new secret', secret])).not.toThrow();
    expect(() => verifyWebhook(body, standard, [secret, 'the new secret'], { now: sentAt })).not.toThrow();
    expect(() => verifyWebhook(body, signed, ['one', 'two'])).toThrow(/does not match this body/);
  });

  it.each([
    ['a body that was parsed', JSON.parse(body) as string, secret, /rawBody must be the raw request bytes/],
    ['no secret', body, process.env['NO_SUCH_SETTING'] as unknown as string, /endpoint secret is missing/],
    ['an empty secret', body, '', /endpoint secret is missing/],
    ['an empty list of secrets', body, [], /endpoint secret is missing/],
  ])('throws a TypeError for %s', (_what, rawBody, given, sentence) => {
    expect(() => verifyWebhook(rawBody, standard, given, { now: sentAt })).toThrow(TypeError);
    expect(() => verifyWebhook(rawBody, standard, given, { now: sentAt })).toThrow(sentence);
  });

  it('never contains the secret or the valid signature in its message', () => {
    const messages = [
      refusal({ ...plain, 'x-webhook-signature': 'sha256=00' }, { allowReplayableSignature: true }),
      refusal({ ...standard, 'webhook-signature': 'v1,AAAA' }),
    ].join();
    expect(messages).not.toContain(secret);
    expect(messages).not.toContain(sign(body, secret).slice(7));
    expect(messages).not.toContain(standard['webhook-signature'].slice(3));
  });
});
