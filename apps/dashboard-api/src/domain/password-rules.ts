/** The most common passwords of sufficient length, and common words that are extended to it. */
const COMMON = new Set([
  '000000000000',
  '111111111111',
  '121212121212',
  '123123123123',
  '123412341234',
  '123456123456',
  '123456654321',
  '123456789000',
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456789abc',
  '1q2w3e4r5t6y',
  '1q2w3e4r5t6y7u8i',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'abc123abc123',
  'abcd12345678',
  'abcdefghijkl',
  'administrator',
  'asdfghjkl123',
  'bangladesh123',
  'changeme1234',
  'iloveyou1234',
  'letmein12345',
  'password1234',
  'password12345',
  'password123456',
  'passwordpassword',
  'q1w2e3r4t5y6',
  'qazwsxedcrfv',
  'qwerty123456',
  'qwerty1234567',
  'qwertyqwerty',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiop[]',
  'qwertyuiopasdfghjkl',
  'welcome12345',
  'zaq12wsxcde3',
]);

/** Completes the sentence of an error message. There are no composition rules. */
export function passwordProblem(
  password: string,
  email: string,
): 'must not be the e-mail address' | 'must not be one of the most common passwords' | undefined {
  const folded = password.trim().toLowerCase();
  if (folded === email.trim().toLowerCase()) return 'must not be the e-mail address';
  if (COMMON.has(folded) || new Set(folded).size <= 2) return 'must not be one of the most common passwords';
  return undefined;
}
