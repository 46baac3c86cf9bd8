import { hash } from '@node-rs/argon2';
import { hashPassword, isOutdated, isPassword } from './passwords';

describe('passwords', () => {
  it('a hash verifies its password, also if it was typed with other code points', async () => {
    const passwordHash = await hashPassword('caf\u00e9 ড\u09bc 123456', 'one');

    await expect(isPassword(passwordHash, 'cafe\u0301 \u09dc 123456', 'one')).resolves.toBe(true);
    await expect(isPassword(passwordHash, 'cafe 123456', 'one')).resolves.toBe(false);
  });

  it('no password matches the decoy, which is verified like a real hash', async () => {
    await expect(isPassword(undefined, '', 'one')).resolves.toBe(false);
  });

  it('one client with many passwords to verify is refused, and another is not', async () => {
    const verified = Array.from({ length: 40 }, () => isPassword(undefined, '', 'one').catch(String));
    const other = isPassword(undefined, '', 'other');

    await expect(other).resolves.toBe(false);
    const results = await Promise.all(verified);
    // Two running and sixteen waiting.
    expect(results.filter((result) => result === false)).toHaveLength(18);
  });

  it('a cheaper hash is outdated, one of today is not', async () => {
    expect(isOutdated(await hashPassword('correct horse battery', 'one'))).toBe(false);
    expect(isOutdated(await hash('correct horse battery', { memoryCost: 8_192, timeCost: 2, parallelism: 1 }))).toBe(
      true,
    );
    expect(isOutdated(await hash('correct horse battery', { memoryCost: 19_456, timeCost: 1, parallelism: 1 }))).toBe(
      true,
    );
  });
});
