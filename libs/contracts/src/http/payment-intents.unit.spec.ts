import { httpUrlProblem, isHttpUrl } from './http-url';
import { createIntentRequestSchema } from './payment-intents';

const valid = { amount: 500, idempotencyKey: 'order-7' };

function sentencesFor(body: unknown): string[] {
  return createIntentRequestSchema.safeParse(body).error?.issues.map((issue) => issue.message) ?? [];
}

describe('createIntentRequestSchema', () => {
  it('applies the same defaults to omitted and to null fields', () => {
    const bare = createIntentRequestSchema.parse(valid);

    expect(bare).toMatchObject({ amount: 50_000n, currency: 'BDT', ttlSeconds: 300 });
    expect(createIntentRequestSchema.parse({ ...valid, currency: null, ttlSeconds: null })).toMatchObject({
      currency: 'BDT',
      ttlSeconds: 300,
    });
  });

  it.each(['bkash_send_money', 'BKASH_SEND_MONEY', 'Bkash_Send_Money'])(
    'accepts the payment method spelling %p',
    (paymentMethod) => {
      expect(createIntentRequestSchema.parse({ ...valid, paymentMethod }).paymentMethod).toBe('BKASH_SEND_MONEY');
    },
  );

  it('removes unknown fields', () => {
    expect(createIntentRequestSchema.parse({ ...valid, environment: 'LIVE', colour: 1 })).not.toHaveProperty('colour');
  });

  it.each<[string, string | number]>([
    ['a number', 500],
    ['digits', '500'],
    ['digits with decimals', '500.00'],
  ])('parses an amount given as %s', (_how, amount) => {
    expect(createIntentRequestSchema.parse({ ...valid, amount }).amount).toBe(50_000n);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no amount', { amount: undefined }, /^amount is required/],
    ['an amount of null', { amount: null }, /^amount is required/],
    ['a list as amount', { amount: [500] }, /^amount is required/],
    ['binary noise', { amount: 0.1 + 0.2 }, /^amount .* two decimals/],
    ['three decimals', { amount: '1.234' }, /^amount .* two decimals/],
    ['no number at all', { amount: 'much' }, /^amount must be a number/],
    ['a free order', { amount: 0 }, /^amount must be more than 0/],
    ['a negative amount', { amount: -5 }, /^amount must be more than 0/],
    ['ten million', { amount: 10_000_000 }, /^amount .* at most 9999999.99/],
    ['an astronomic amount', { amount: 1e300 }, /^amount .* at most 9999999.99/],
    ['no idempotencyKey', { idempotencyKey: undefined }, /^idempotencyKey is required in the body/],
    ['an empty idempotencyKey', { idempotencyKey: '' }, /^idempotencyKey must not be empty/],
    ['an idempotencyKey of 256', { idempotencyKey: 'k'.repeat(256) }, /^idempotencyKey .* 255/],
    ['NUL in the idempotencyKey', { idempotencyKey: 'k\u0000' }, /^idempotencyKey .* null characters/],
    ['dollars', { currency: 'USD' }, /^currency must be BDT/],
    ['a number as merchantReference', { merchantReference: 7 }, /^merchantReference must be a string/],
    ['a blank merchantReference', { merchantReference: '  ' }, /^merchantReference must not be empty/],
    ['a long merchantReference', { merchantReference: 'x'.repeat(256) }, /^merchantReference .* 255/],
    ['half a smiley in merchantReference', { merchantReference: '\ud83d' }, /^merchantReference .* null characters/],
    ['a long customerReference', { customerReference: '12345678901234567' }, /^customerReference must be 1 to 16/],
    ['a customerReference of dashes', { customerReference: '--' }, /^customerReference must be/],
    ['a customerReference in Bangla', { customerReference: 'ইনভ' }, /^customerReference must be/],
    ['an unknown paymentMethod', { paymentMethod: 'ROCKET' }, /^paymentMethod must be one of BKASH_PAYMENT/],
    ['a number as paymentMethod', { paymentMethod: 5 }, /^paymentMethod must be a string/],
    ['another language', { language: 'fr' }, /^language must be en or bn/],
    ['a number as customerId', { customerId: 7 }, /^customerId must be a string/],
    ['a long expectedSenderMsisdn', { expectedSenderMsisdn: '0'.repeat(21) }, /^expectedSenderMsisdn .* 20/],
    ['a short expectedTrxId', { expectedTrxId: 'abc' }, /^expectedTrxId must be 6 to 20/],
    ['a number as expectedTrxId', { expectedTrxId: 123456 }, /^expectedTrxId must be a string/],
    ['half seconds', { ttlSeconds: 90.5 }, /^ttlSeconds must be a whole number/],
    ['text as ttlSeconds', { ttlSeconds: '300' }, /^ttlSeconds must be a whole number/],
    ['59 seconds', { ttlSeconds: 59 }, /^ttlSeconds must be at least 60/],
    ['more than a day', { ttlSeconds: 86_401 }, /^ttlSeconds must be at most 86400/],
    ['a script as successUrl', { successUrl: 'javascript:alert(1)' }, /^successUrl must be an absolute http/],
    ['data as failedUrl', { failedUrl: 'data:text/html,x' }, /^failedUrl must be an absolute http/],
    ['a file as cancelUrl', { cancelUrl: 'file:///etc/passwd' }, /^cancelUrl must be an absolute http/],
    ['a relative expiredUrl', { expiredUrl: '/late' }, /^expiredUrl must be an absolute http/],
    ['a very long successUrl', { successUrl: `https://a.example/${'x'.repeat(2_000)}` }, /^successUrl .* 2000/],
    ['a list as metadata', { metadata: ['a'] }, /^metadata must be a flat object/],
    ['nested metadata', { metadata: { a: { b: 'c' } } }, /^metadata values must be strings/],
    ['a long metadata key', { metadata: { ['k'.repeat(41)]: 'v' } }, /^metadata keys must be 1 to 40/],
    ['an empty metadata key', { metadata: { '': 'v' } }, /^metadata keys must be 1 to 40/],
    [
      'the metadata key __proto__',
      { metadata: JSON.parse('{"__proto__":"x"}') },
      /^metadata keys must not be __proto__/,
    ],
    ['a long metadata value', { metadata: { a: 'v'.repeat(501) } }, /^metadata values .* 500/],
    ['NUL in a metadata value', { metadata: { a: '\u0000' } }, /^metadata values .* null characters/],
    [
      '21 metadata pairs',
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])) },
      /^metadata .* 20 pairs/,
    ],
  ])('refuses %s in one sentence that names the field', (_what, change, sentence) => {
    expect(sentencesFor({ ...valid, ...change })).toEqual([expect.stringMatching(sentence)]);
  });

  it('reports all problems of a request in one response', () => {
    expect(sentencesFor({ currency: 'USD', ttlSeconds: 1 })).toHaveLength(4);
  });

  it.each([null, [], 'amount', 7])('rejects %p as a body with a readable message', (body) => {
    expect(sentencesFor(body)).toEqual(['body must be a JSON object']);
  });
});

describe('isHttpUrl', () => {
  it.each([
    'https://shop.example',
    'http://shop.example:8080/paid?order=7#done',
    'HTTPS://SHOP.EXAMPLE/',
    'http://127.0.0.1/paid',
    'https://দোকান.example/ধন্যবাদ',
  ])('accepts %p', (url) => {
    expect(isHttpUrl(url)).toBe(true);
  });

  it.each([
    '',
    'shop.example',
    '//shop.example',
    'https:/shop.example',
    'https:shop.example',
    'https:///shop.example',
    'https://\\shop.example',
    'ftp://shop.example',
    'javascript:alert(1)',
    'JaVaScRiPt://shop.example/%0aalert(1)',
    ' https://shop.example',
    'https://user@shop.example',
    'https://user:secret@shop.example',
    'https://',
    'https://shop.example/a b',
    'https://shop.example/\r\nSet-Cookie: x',
    'ht\ntps://shop.example',
    'https://shop.example/\u0000',
    'https://[::1',
  ])('rejects %j', (url) => {
    expect(isHttpUrl(url)).toBe(false);
  });

  it.each([
    ['https://user:secret@shop.example', 'must not contain user info (the part before @)'],
    ['https://shop.example/a b', 'must not contain white space'],
    ['javascript:alert(1)', 'must be an absolute http or https URL'],
    ['/paid', 'must be an absolute http or https URL'],
    ['https://shop.example:99999/', 'must be an absolute http or https URL with a valid host and port'],
    ['https://shop.example/paid', undefined],
  ])('names the wrong part of %j', (url, problem) => {
    expect(httpUrlProblem(url)).toBe(problem);
    expect(sentencesFor({ amount: 5, idempotencyKey: 'k', successUrl: url })).toEqual(
      problem === undefined ? [] : [`successUrl ${problem}`],
    );
  });
});
