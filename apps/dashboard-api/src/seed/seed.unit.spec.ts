import { changeMerchantRequestSchema, normaliseMsisdn, paymentMethodSchema } from '@pay/contracts';
import { isWellFormedCredential, newCredential } from '@pay/directory';
import { UsageError } from '@pay/runtime';
import { randomSeed } from './random-seed';
import { readSeed } from './read-seed';

const tenantsOf = (seed: ReturnType<typeof randomSeed>) =>
  seed.merchants.flatMap(({ sandbox, live }) => [sandbox, live]);

describe('randomSeed', () => {
  it('describes one merchant with every method and one with bKash Send Money alone, in both environments', () => {
    const methods = randomSeed().merchants.map(({ sandbox, live }) =>
      [sandbox, live].map(({ receivers }) => receivers.map(({ paymentMethod }) => paymentMethod)),
    );

    expect(methods).toEqual([
      [paymentMethodSchema.options, paymentMethodSchema.options],
      [['BKASH_SEND_MONEY'], ['BKASH_SEND_MONEY']],
    ]);
  });

  it('gives both shops a logo that the dashboard would accept, and a contact', () => {
    for (const { branding, support } of randomSeed().merchants) {
      expect(changeMerchantRequestSchema.safeParse({ branding, support }).error).toBeUndefined();
      expect(branding?.logo).toMatch(/^data:image\/png;base64,/);
      expect(Object.values(support ?? {})).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    }
  });

  it('gives every wallet number, key, id and password once', () => {
    const seed = randomSeed();
    const numbers = tenantsOf(seed).flatMap(({ receivers }) => receivers.map(({ msisdn }) => msisdn));
    const secrets = tenantsOf(seed).flatMap(({ apiKey, deviceKey, deviceId }) => [apiKey, deviceKey, deviceId]);
    const owners = seed.merchants.flatMap(({ id, owner }) => [id, owner.email, owner.password]);

    for (const values of [numbers, secrets, owners]) expect(new Set(values).size).toBe(values.length);
    expect(numbers).toHaveLength(14);
    for (const msisdn of numbers) expect(normaliseMsisdn(msisdn)).toBe(msisdn);
    expect(seed.merchants.every(({ owner }) => owner.password.length >= 20)).toBe(true);
  });

  it('writes keys of the right kind and environment, and its output can be read again', () => {
    const seed = randomSeed();

    for (const { sandbox, live } of seed.merchants) {
      expect([sandbox.apiKey, sandbox.deviceKey, live.apiKey, live.deviceKey].map((key) => key.slice(0, 8))).toEqual([
        'sk_test_',
        'dk_test_',
        'sk_live_',
        'dk_live_',
      ]);
    }
    expect(tenantsOf(seed).every(({ apiKey, deviceKey }) => [apiKey, deviceKey].every(isWellFormedCredential))).toBe(
      true,
    );
    expect(readSeed('seed', () => JSON.stringify(seed))).toEqual(seed);
  });
});

describe('readSeed', () => {
  function problemsOf(read: () => string): readonly string[] {
    try {
      readSeed('seed.json', read);
    } catch (error) {
      if (error instanceof UsageError) return error.problems;
    }
    throw new Error('it was accepted');
  }

  it('names every wrong field and shows no value', () => {
    const seed = randomSeed();
    const merchant = seed.merchants[0]!;
    const swapped = newCredential('sk_live_');
    const wrong = {
      merchants: [
        {
          ...merchant,
          name: 'Boi\nBazar',
          owner: { ...merchant.owner, password: 'short' },
          sandbox: {
            ...merchant.sandbox,
            apiKey: swapped,
            receivers: [{ paymentMethod: 'BKASH', msisdn: '+8801712345678' }],
          },
        },
      ],
    };

    const problems = problemsOf(() => JSON.stringify(wrong));

    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'merchants.0.name',
      'merchants.0.owner.password',
      'merchants.0.sandbox.apiKey',
      'merchants.0.sandbox.receivers.0.paymentMethod',
      'merchants.0.sandbox.receivers.0.msisdn',
    ]);
    expect(problems.join()).not.toMatch(new RegExp(`${swapped}|short|8801712345678`));
  });

  it('reports a source that is missing or not JSON', () => {
    expect(problemsOf(() => '{')).toEqual(['seed.json: it is not JSON']);
    expect(
      problemsOf(() => {
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      }),
    ).toEqual(['seed.json: ENOENT']);
  });
});
