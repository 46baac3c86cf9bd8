import { boundedText, factTimeText, oneLineText } from './request-values';

describe('boundedText', () => {
  const three = boundedText('name', { max: 3, trimmed: true });

  it('counts Unicode code points instead of UTF-16 units', () => {
    expect(three.safeParse('💸💸💸').success).toBe(true);
    expect(three.safeParse('💸💸💸💸').error?.issues[0]?.message).toBe('name must be at most 3 characters');
  });

  it('rejects blank text and null characters and names the field', () => {
    expect(three.safeParse(' \ufeff ').error?.issues[0]?.message).toBe('name must not be empty');
    expect(three.safeParse('a\0').error?.issues[0]?.message).toBe(
      'name must not contain null characters or broken surrogate pairs',
    );
  });
});

describe('oneLineText', () => {
  const name = oneLineText('name', { max: 20 });
  const meta = name.meta() as { readonly pattern: string; readonly not: { readonly pattern: string } };
  const pattern = new RegExp(meta.pattern, 'u');
  const refused = new RegExp(meta.not.pattern, 'u');

  it.each(['a\nb', 'a\r\nb', 'a\tb', 'a\u0000b', 'a\u001bb', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\u007f', '\u0085a'])(
    'rejects %j and names the field, and the pattern does not match it',
    (text) => {
      expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toContain(
        'name must not contain line breaks or other control characters',
      );
      expect(pattern.test(text)).toBe(false);
    },
  );

  it.each(Array.from('\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'))(
    'rejects the bidi control %j at the beginning, inside and at the end, as the pattern does',
    (control) => {
      for (const text of [`${control}ab`, `a${control}b`, `ab${control}`]) {
        expect(name.safeParse(text).success).toBe(false);
        expect(pattern.test(text)).toBe(false);
      }
    },
  );

  it.each(['https://a.example', 'a://b', 'at www.a.example', 'WwW.a', '://'])(
    'rejects %j and names the field, and the document refuses it',
    (text) => {
      expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
        'name must not contain :// or www.',
      ]);
      expect(refused.test(text)).toBe(true);
    },
  );

  it.each(['Boi Bazar', 'দোকান\u200d ১', 'a', ' a\u00a0b 💸 ', 'two  words', '\n a b\u2028', 'ww.a: b//c', 'www'])(
    'accepts %j, and the document allows it',
    (text) => {
      expect(name.parse(text)).toBe(text.trim());
      expect(pattern.test(text)).toBe(true);
      expect(refused.test(text)).toBe(false);
    },
  );

  it('has a pattern that does not match blank text', () => {
    expect(['', ' ', '\n', '\u3000'].filter((text) => pattern.test(text))).toEqual([]);
  });
});

describe('factTimeText', () => {
  it.each([
    '1969-12-31T23:59:59Z',
    '0999-01-01T00:00:00Z',
    '2100-01-01T00:00:00Z',
    `2026-01-01T00:00:00.${'1'.repeat(10)}Z`,
  ])('rejects %s', (text) => {
    expect(factTimeText('at').safeParse(text).error?.issues).toHaveLength(1);
  });

  it.each(['1970-01-01T00:00:00+14:00', '2099-12-31T23:59:59.123456789Z'])('accepts %s', (text) => {
    expect(factTimeText('at').safeParse(text).success).toBe(true);
  });
});
