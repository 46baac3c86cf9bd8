import { randomBytes } from 'node:crypto';
import { createSecretBox as createBox, parseEncryptionKeys, type EncryptionKey } from './secret-box';

const ENDPOINT = '0192f0c1-0000-7000-8000-00000000000a';
const SECRET = 'whsec ঢাকা 0123456789';
const createSecretBox = (keys: readonly EncryptionKey[]) => createBox(keys, 'signing-secret');
const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

test('an encrypted secret contains its key id, hides its text and decrypts', () => {
  const box = createSecretBox(parseEncryptionKeys(newKey('k1')));
  const sealed = box.seal(ENDPOINT, SECRET);

  expect(sealed).toMatch(/^k1:[A-Za-z0-9+/=]+$/);
  expect(Buffer.from(sealed.slice(3), 'base64').toString('latin1')).not.toContain('whsec');
  expect(box.open(ENDPOINT, sealed)).toBe(SECRET);
  expect(box.openOnce(ENDPOINT, sealed)).toBe(SECRET);
});

test('encrypting the same secret twice gives different texts', () => {
  const box = createSecretBox(parseEncryptionKeys(newKey('k1')));

  expect(box.seal(ENDPOINT, SECRET)).not.toBe(box.seal(ENDPOINT, SECRET));
});

test('after a rotation new secrets use the new key and old ones still decrypt', () => {
  const [oldKey, nextKey] = [newKey('k1'), newKey('k2')];
  const sealed = createSecretBox(parseEncryptionKeys(oldKey)).seal(ENDPOINT, SECRET);
  const box = createSecretBox(parseEncryptionKeys(`${nextKey},${oldKey}`));

  expect(box.open(ENDPOINT, sealed)).toBe(SECRET);
  expect(box.seal(ENDPOINT, SECRET)).toMatch(/^k2:/);
});

test('a secret of another row or purpose, an altered secret and a secret with an unknown key do not decrypt', () => {
  const keys = parseEncryptionKeys(newKey('k1'));
  const box = createSecretBox(keys);
  const sealed = box.seal(ENDPOINT, SECRET);
  const bytes = Buffer.from(sealed.slice(3), 'base64');
  bytes[14]! ^= 1;

  expect(() => box.open(ENDPOINT.replace('a', 'b'), sealed)).toThrow();
  expect(() => box.open(ENDPOINT, `k1:${bytes.toString('base64')}`)).toThrow();
  expect(() => createBox(keys, 'totp').open(ENDPOINT, sealed)).toThrow();
  expect(() => createSecretBox(parseEncryptionKeys(newKey('k2'))).open(ENDPOINT, sealed)).toThrow('not configured');
});

test.each([
  ['no key', ''],
  ['a short key', `k1:${randomBytes(16).toString('base64')}`],
  ['no id', randomBytes(32).toString('base64')],
  ['an id twice', `${newKey('k1')},${newKey('k1')}`],
])('a key list with %s is refused', (_, text) => {
  expect(() => parseEncryptionKeys(text)).toThrow(RangeError);
});
