import { createHash } from 'node:crypto';
import { weaknessOf, weaknessOfPassword } from './secret-strength';

describe('weaknessOf', () => {
  it.each<[string, string]>([
    ['one character', 'x'.repeat(64)],
    ['two characters in turn', 'ab'.repeat(20)],
    ['a short text many times', 'k7Qz9wLm'.repeat(5)],
    ['half of it twice', '3f9a1c07be52d684'.repeat(2)],
    ['the alphabet', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`{'],
    ['a tail behind zeros', `${'0'.repeat(40)}9f3c`],
  ])('reports %s as guessable', (_what, secret) => {
    expect(weaknessOf(secret)).toMatch(/repetitive|word/);
  });

  it.each([
    'change-me-9f3c07be52d6841a0b9c8d7e6f50',
    'CHANGE_ME_9f3c07be52d6841a0b9c8d7e6f50',
    'my-super-secret-9f3c07be52d6841a0b9c8d',
    'dev-9f3c07be52d6841a0b9c8d7e6f5041c3b2',
    'local:q1w9E8rTyU2iOp3asD4fGh5jKl6zXc7vBn8mQ0w=',
    '9f3c07be52d6841a0b9c8d7e6f5041c3b2_test',
  ])('reports a secret with a word of development set-ups as known: %s', (secret) => {
    expect(weaknessOf(secret)).toBe('contains a word that is common in development secrets');
  });

  it('reports a short secret as short', () => {
    expect(weaknessOf('9f3c07be52d6841a0b9c8d7e6f5041')).toBe('has fewer than 32 characters');
  });

  it.each(['hex', 'base64', 'base64url'] as const)(
    'accepts a thousand random secrets in %s, short ones too',
    (encoding) => {
      for (let turn = 0; turn < 1_000; turn++) {
        // The same secrets in every run, because one random secret in many contains a known word by chance.
        const bytes = createHash('sha256').update(`${encoding} ${turn}`).digest();
        expect(weaknessOfPassword(bytes.toString(encoding).slice(0, 16))).toBeUndefined();
        expect(weaknessOf(bytes.subarray(0, encoding === 'hex' ? 16 : 24).toString(encoding))).toBeUndefined();
      }
    },
  );
});
