import { boundedText, factTimeText } from './request-values';

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
