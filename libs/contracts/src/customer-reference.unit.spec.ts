import fc from 'fast-check';
import { isCustomerReference, REFERENCE_ALPHABET, referenceKey } from './customer-reference';

describe('referenceKey', () => {
  it.each([
    ['inv-2041', 'INV2041'],
    [' INV 20 41 ', 'INV2041'],
    ['Inv\t2041', 'INV2041'],
    ['INV/2041', 'INV/2041'],
    ['- -', ''],
  ])('normalises %p to %p', (reference, key) => {
    expect(referenceKey(reference)).toBe(key);
  });

  it('returns the same key for every spelling that differs only in case, spaces or dashes', () => {
    const gap = fc.constantFrom('', ' ', '-', ' - ');
    const letter = fc.constantFrom(...Array.from('abcXYZ019./#_'));
    fc.assert(
      fc.property(fc.array(fc.tuple(letter, gap, fc.boolean()), { minLength: 1, maxLength: 16 }), (parts) => {
        const plain = parts.map(([text]) => text).join('');
        const typed = parts.map(([text, space, lower]) => (lower ? text.toLowerCase() : text) + space).join('');
        expect(referenceKey(typed)).toBe(referenceKey(plain));
      }),
    );
  });
});

describe('isCustomerReference', () => {
  it.each(['A', 'INV-2041', 'a b/c#1._-', '1234567890123456'])('accepts %p', (reference) => {
    expect(isCustomerReference(reference)).toBe(true);
  });

  it.each(['', '12345678901234567', '---', 'INV@1', 'ইনভ', 'INV\n1', 'a,b'])('rejects %p', (reference) => {
    expect(isCustomerReference(reference)).toBe(false);
  });

  it('accepts every reference that the service can generate', () => {
    expect(isCustomerReference(REFERENCE_ALPHABET.slice(0, 16))).toBe(true);
    expect(REFERENCE_ALPHABET).not.toMatch(/[0O1IL2Z5S8B]/);
  });
});
