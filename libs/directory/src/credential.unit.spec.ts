import { CREDENTIAL_PREFIXES, isWellFormedCredential, newCredential } from './credential';

describe('newCredential', () => {
  it.each(CREDENTIAL_PREFIXES)('%s: consists of the prefix and 38 letters and digits, and is well formed', (prefix) => {
    const key = newCredential(prefix);

    expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
    expect(isWellFormedCredential(key)).toBe(true);
  });

  it('returns distinct keys and uses the whole alphabet', () => {
    const keys = Array.from({ length: 300 }, () => newCredential('sk_test_'));

    expect(new Set(keys).size).toBe(300);
    expect(new Set(keys.flatMap((key) => Array.from(key.slice(8, 40)))).size).toBe(62);
  });
});

describe('isWellFormedCredential', () => {
  it('refuses a key with one changed character', () => {
    const key = newCredential('sk_live_');

    for (let place = 8; place < key.length; place += 1) {
      const other = key[place] === 'x' ? 'y' : 'x';
      expect(isWellFormedCredential(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
    }
  });

  it('refuses a key with the prefix of the other environment', () => {
    expect(isWellFormedCredential(newCredential('sk_test_').replace('sk_test_', 'sk_live_'))).toBe(false);
  });

  it.each([
    '',
    'sk_test_',
    'Bearer x',
    'sk_prod_' + 'a'.repeat(38),
    'sk_test_' + 'a'.repeat(38),
    'sk_test_' + 'ä'.repeat(38),
  ])('refuses %j', (text) => {
    expect(isWellFormedCredential(text)).toBe(false);
  });
});
