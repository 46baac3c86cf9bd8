import { createLoginLimits } from './login-limits';

it('an attempt that the database cannot count fails with the error of the database', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const db = { query: () => Promise.reject(refused), execute: () => Promise.reject(refused) };
  const settings = { perAccount: 5, accountSeconds: 60, perAddress: 5, perAccountUnknown: 5, unknownSeconds: 60 };
  const limits = createLoginLimits(db, settings);

  const attempt = { email: 'a@example.com', address: '203.0.113.7', knownBrowser: undefined };

  await expect(limits.countLogin(attempt)).rejects.toBe(refused);
});
