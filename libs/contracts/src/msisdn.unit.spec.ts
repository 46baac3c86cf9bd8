import { normaliseMsisdn } from './msisdn';
import { isStorableText, toAsciiDigits, toStorableText } from './text';

describe('normaliseMsisdn', () => {
  it.each(['01700000123', '8801700000123', '+8801700000123', '+880 1700-000123', '1700000123', ' ০১৭০০০০০১২৩ '])(
    'normalises %p to the local form',
    (input) => {
      expect(normaliseMsisdn(input)).toBe('01700000123');
    },
  );

  it.each(['', '01200000123', '0170000012', '017000001234', '0178XXXX694', 'bKash', '16247', '+9101700000123'])(
    'returns undefined for %p',
    (input) => {
      expect(normaliseMsisdn(input)).toBeUndefined();
    },
  );
});

describe('isStorableText and toStorableText', () => {
  it.each(['a\u0000b', '\ud83d', '\ude00x'])('detect and replace text that Postgres cannot store: %j', (text) => {
    expect(isStorableText(text)).toBe(false);
    expect(isStorableText(toStorableText(text))).toBe(true);
  });

  it.each(['', 'পেমেন্ট', '😀', 'tab\tand\nline'])('accept and keep text that Postgres can store: %j', (text) => {
    expect(isStorableText(text)).toBe(true);
    expect(toStorableText(text)).toBe(text);
  });
});

describe('toAsciiDigits', () => {
  it('converts Bangla digits to ASCII and keeps all other characters', () => {
    expect(toAsciiDigits('Tk ১,২৩৪.৫০ ৬৭৮৯ টাকা 5')).toBe('Tk 1,234.50 6789 টাকা 5');
  });
});
